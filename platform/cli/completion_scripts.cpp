#include "platform/cli/completion_scripts.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "platform/cli/help_format.hpp"
#include "platform/cli/program_pages.hpp"

namespace heddle {
namespace {

std::string shell_quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'')
      out += "'\\''";
    else
      out += c;
  }
  return out + "'";
}

std::string names_of(const std::vector<const CLI::App*>& commands) {
  std::string names;
  for (const CLI::App* each : commands) names += (names.empty() ? "" : " ") + each->get_name();
  return names;
}

// The options that have a name with dashes.
std::vector<const CLI::Option*> named_options(const CLI::App& command) {
  std::vector<const CLI::Option*> named;
  for (const CLI::Option* each : shown_options(command))
    if (!each->get_positional()) named.push_back(each);
  return named;
}

std::string option_names(const CLI::App& command) {
  std::string names;
  for (const CLI::Option* each : named_options(command))
    names += (names.empty() ? "" : " ") + each->get_name();
  return names;
}

std::string zsh_options(const CLI::App& command) {
  std::string options = "--help";
  for (const CLI::Option* each : named_options(command))
    options += " " + shell_quoted(each->get_name() + ":" + option_text(*each));
  return options;
}

std::string zsh_commands(const CLI::App& parent) {
  std::string commands;
  for (const CLI::App* each : shown_commands(parent))
    commands += (commands.empty() ? "" : " ") +
                shell_quoted(each->get_name() + ":" + each->get_description());
  return commands;
}

// How a shell is told what it may offer.
struct completing_shell {
  std::string (*options)(const CLI::App&);   // of a command: what is assigned to `options`
  std::string (*commands)(const CLI::App&);  // below a command: what is assigned to `commands`
  const char* second_word;                   // behind the name of a command
};

const completing_shell bash = {
    [](const CLI::App& command) { return "'" + option_names(command) + "'"; },
    [](const CLI::App& command) { return "'" + names_of(shown_commands(command)) + "'"; },
    "${COMP_WORDS[2]}"};
const completing_shell zsh = {
    [](const CLI::App& command) { return "(" + zsh_options(command) + ")"; },
    [](const CLI::App& command) { return "(" + zsh_commands(command) + ")"; }, "$words[3]"};

// What the shell offers behind a command, by its name; a command below it replaces the options.
std::string case_of(const CLI::App& command, const completing_shell& shell) {
  std::string text = fmt::format("{}) options={}", command.get_name(), shell.options(command));
  const std::vector<const CLI::App*> below = shown_commands(command);
  if (below.empty()) return "    " + text + " ;;\n";
  text +=
      fmt::format(" commands={}\n      case {} in\n", shell.commands(command), shell.second_word);
  for (const CLI::App* each : below) text += "    " + case_of(*each, shell);
  return "    " + text + "      esac ;;\n";
}

std::string cases_of(const CLI::App& program, const completing_shell& shell) {
  std::string cases;
  for (const CLI::App* each : shown_commands(program)) cases += case_of(*each, shell);
  return cases;
}

std::string fish_options(const CLI::App& command, const std::string& condition) {
  std::string text;
  for (const CLI::Option* option : shown_options(command))
    if (!option->get_positional())
      text += fmt::format("complete -c heddle -n '{}' -l {}{} -d {}\n", condition,
                          option->get_name().substr(2), is_flag(*option) ? "" : " -r",
                          shell_quoted(option_text(*option)));
  return text;
}

}  // namespace

std::string bash_completion(const CLI::App& program) {
  return fmt::format(
      "# bash completion for heddle\n"
      "_heddle() {{\n"
      "  local word=${{COMP_WORDS[COMP_CWORD]}} options= commands=\n"
      "  if [ \"$COMP_CWORD\" = 1 ]; then\n"
      "    mapfile -t COMPREPLY < <(compgen -W '{} --help --version' -- \"$word\")\n"
      "    return\n"
      "  fi\n"
      "  case ${{COMP_WORDS[1]}} in\n{}  esac\n"
      "  if [ \"$COMP_CWORD\" = 2 ] && [ -n \"$commands\" ]; then\n"
      "    mapfile -t COMPREPLY < <(compgen -W \"$commands --help\" -- \"$word\")\n"
      "    return\n"
      "  fi\n"
      "  case $word in\n"
      "    -*) mapfile -t COMPREPLY < <(compgen -W \"$options --help\" -- \"$word\") ;;\n"
      "    *) mapfile -t COMPREPLY < <(compgen -f -- \"$word\") ;;\n"
      "  esac\n"
      "}}\n"
      "complete -o filenames -F _heddle heddle\n",
      names_of(shown_commands(program)), cases_of(program, bash));
}

std::string zsh_completion(const CLI::App& program) {
  return fmt::format(
      "#compdef heddle\n"
      "local -a commands options\n"
      "if (( CURRENT == 2 )); then\n"
      "  commands=({})\n"
      "  _describe command commands\n"
      "else\n"
      "  case $words[2] in\n{}  esac\n"
      "  if (( CURRENT == 3 && $#commands )); then\n"
      "    _describe command commands\n"
      "  else\n"
      "    [[ $PREFIX == -* ]] && _describe option options || _files\n"
      "  fi\n"
      "fi\n",
      zsh_commands(program), cases_of(program, zsh));
}

std::string fish_completion(const CLI::App& program) {
  std::string text = "# fish completion for heddle\n";
  for (const CLI::App* each : shown_commands(program)) {
    text += fmt::format("complete -c heddle -n __fish_use_subcommand -a {} -d {}\n",
                        each->get_name(), shell_quoted(each->get_description()));
    const std::string used = "__fish_seen_subcommand_from " + each->get_name();
    text += fish_options(*each, used);
    const std::string below = names_of(shown_commands(*each));
    for (const CLI::App* one : shown_commands(*each)) {
      text += fmt::format(
          "complete -c heddle -n '{}; and not __fish_seen_subcommand_from {}' -a {} -d {}\n", used,
          below, one->get_name(), shell_quoted(one->get_description()));
      text += fish_options(*one, used + "; and __fish_seen_subcommand_from " + one->get_name());
    }
  }
  return text;
}

}  // namespace heddle
