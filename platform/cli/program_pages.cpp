#include "platform/cli/program_pages.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "platform/text/markup.hpp"

namespace heddle {
namespace {

bool is_flag(const CLI::Option& option) {
  return option.get_expected_max() == 0;
}

// "--out DIR", "--quiet", "NETLIST".
std::string usage_of(const CLI::Option& option) {
  if (option.get_positional()) return option.get_name(true);
  const std::string name = option.get_name();
  return is_flag(option) ? name : name + " VALUE";
}

// A dot or a quote at the front of a line is a request to troff; a hyphen is none of the text.
std::string troff(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n')) out += "\\&";
      out += c;
    }
  }
  return out;
}

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

std::string names_of(const std::vector<const CLI::Option*>& options) {
  std::string names;
  for (const CLI::Option* each : options)
    if (!each->get_positional()) names += (names.empty() ? "" : " ") + each->get_name();
  return names;
}

}  // namespace

std::vector<const CLI::App*> shown_commands(const CLI::App& program) {
  std::vector<const CLI::App*> shown;
  for (const CLI::App* each : program.get_subcommands([](const CLI::App*) { return true; }))
    if (!each->get_group().empty()) shown.push_back(each);
  std::sort(shown.begin(), shown.end(),
            [](const CLI::App* a, const CLI::App* b) { return a->get_name() < b->get_name(); });
  return shown;
}

std::vector<const CLI::Option*> shown_options(const CLI::App& command) {
  std::vector<const CLI::Option*> shown;
  for (const CLI::Option* each : command.get_options())
    if (each != command.get_help_ptr()) shown.push_back(each);
  return shown;
}

std::string man_page(const CLI::App& program, const CLI::App* command) {
  const CLI::App& of = command ? *command : program;
  const std::string name = command ? "heddle-" + command->get_name() : "heddle";
  std::string page = fmt::format(
      ".TH {0} 1 \"\" \"heddle {1}\" \"Heddle\"\n.SH NAME\n{2} \\- {3}\n.SH SYNOPSIS\n.B {4}\n",
      name, HEDDLE_VERSION, troff(name), troff(of.get_description()),
      command ? "heddle " + command->get_name() : "heddle COMMAND");
  for (const CLI::Option* each : shown_options(of))
    page += each->get_positional() ? fmt::format("{}\n", each->get_name(true)) : "";
  page += "[OPTIONS]\n";
  if (!command) {
    page += ".SH COMMANDS\n";
    for (const CLI::App* each : shown_commands(program))
      page += fmt::format(".TP\n.BR heddle\\-{} (1)\n{}\n", troff(each->get_name()),
                          troff(each->get_description()));
  }
  page += ".SH OPTIONS\n";
  for (const CLI::Option* each : shown_options(of))
    page += fmt::format(".TP\n.B {}\n{}\n", troff(usage_of(*each)), troff(each->get_description()));
  return page +
         ".SH EXIT STATUS\n0: finished and verified; 1: the simulated system failed; 2: what was "
         "given is wrong.\n";
}

std::string bash_completion(const CLI::App& program) {
  std::string commands, cases;
  for (const CLI::App* each : shown_commands(program)) {
    commands += (commands.empty() ? "" : " ") + each->get_name();
    cases +=
        fmt::format("    {}) options='{}' ;;\n", each->get_name(), names_of(shown_options(*each)));
  }
  return fmt::format(
      "# bash completion for heddle\n"
      "_heddle() {{\n"
      "  local word=${{COMP_WORDS[COMP_CWORD]}} options=\n"
      "  if [ \"$COMP_CWORD\" = 1 ]; then\n"
      "    mapfile -t COMPREPLY < <(compgen -W '{} --help --version' -- \"$word\")\n"
      "    return\n"
      "  fi\n"
      "  case ${{COMP_WORDS[1]}} in\n{}  esac\n"
      "  case $word in\n"
      "    -*) mapfile -t COMPREPLY < <(compgen -W \"$options --help\" -- \"$word\") ;;\n"
      "    *) mapfile -t COMPREPLY < <(compgen -f -- \"$word\") ;;\n"
      "  esac\n"
      "}}\n"
      "complete -o filenames -F _heddle heddle\n",
      commands, cases);
}

std::string zsh_completion(const CLI::App& program) {
  std::string commands, cases;
  for (const CLI::App* each : shown_commands(program)) {
    commands += fmt::format(" {}", shell_quoted(each->get_name() + ":" + each->get_description()));
    cases += fmt::format("    {}) options=(--help", each->get_name());
    for (const CLI::Option* option : shown_options(*each))
      if (!option->get_positional())
        cases += " " + shell_quoted(option->get_name() + ":" + option->get_description());
    cases += ") ;;\n";
  }
  return fmt::format(
      "#compdef heddle\n"
      "local -a commands options\n"
      "commands=({})\n"
      "if (( CURRENT == 2 )); then\n"
      "  _describe command commands\n"
      "else\n"
      "  case $words[2] in\n{}  esac\n"
      "  [[ $PREFIX == -* ]] && _describe option options || _files\n"
      "fi\n",
      commands.empty() ? "" : commands.substr(1), cases);
}

std::string fish_completion(const CLI::App& program) {
  std::string text = "# fish completion for heddle\n";
  for (const CLI::App* each : shown_commands(program)) {
    text += fmt::format("complete -c heddle -n __fish_use_subcommand -a {} -d {}\n",
                        each->get_name(), shell_quoted(each->get_description()));
    for (const CLI::Option* option : shown_options(*each))
      if (!option->get_positional())
        text +=
            fmt::format("complete -c heddle -n '__fish_seen_subcommand_from {}' -l {}{} -d {}\n",
                        each->get_name(), option->get_name().substr(2),
                        is_flag(*option) ? "" : " -r", shell_quoted(option->get_description()));
  }
  return text;
}

std::string commands_html(const CLI::App& program) {
  std::string html;
  for (const CLI::App* each : shown_commands(program)) {
    html += fmt::format("<h3 id=\"heddle-{0}\">heddle {0}</h3>\n<p>{1}</p>\n<table>\n",
                        markup_escaped(each->get_name()), markup_escaped(each->get_description()));
    for (const CLI::Option* option : shown_options(*each))
      html +=
          fmt::format("<tr><td><code>{}</code></td><td>{}</td></tr>\n",
                      markup_escaped(usage_of(*option)), markup_escaped(option->get_description()));
    html += "</table>\n";
  }
  return html;
}

}  // namespace heddle
