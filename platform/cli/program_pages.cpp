#include "platform/cli/program_pages.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "platform/cli/exit_codes.hpp"
#include "platform/cli/help_format.hpp"
#include "platform/text/markup.hpp"

namespace heddle {
namespace {

// "--out VALUE", "--quiet", "NETLIST".
std::string usage_of(const CLI::Option& option) {
  if (option.get_positional()) return option.get_name(true);
  const std::string name = option.get_name();
  return is_flag(option) ? name : name + " VALUE";
}

// "[OPTIONS] NETLIST UNIT LOG"; "COMMAND" where the command has others below it.
std::string arguments_of(const CLI::App& command) {
  std::string text = shown_commands(command).empty() ? "[OPTIONS]" : "COMMAND";
  for (const CLI::Option* each : shown_options(command))
    if (each->get_positional()) text += " " + each->get_name(true);
  return text;
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

}  // namespace

std::vector<const CLI::App*> shown_commands(const CLI::App& parent) {
  std::vector<const CLI::App*> shown;
  for (const CLI::App* each : parent.get_subcommands([](const CLI::App*) { return true; }))
    if (!each->get_group().empty()) shown.push_back(each);
  std::sort(shown.begin(), shown.end(),
            [](const CLI::App* a, const CLI::App* b) { return a->get_name() < b->get_name(); });
  return shown;
}

std::vector<const CLI::App*> all_commands(const CLI::App& program) {
  std::vector<const CLI::App*> all;
  for (const CLI::App* each : shown_commands(program)) {
    all.push_back(each);
    const std::vector<const CLI::App*> below = all_commands(*each);
    all.insert(all.end(), below.begin(), below.end());
  }
  return all;
}

std::string full_name(const CLI::App& command) {
  const CLI::App* const parent = command.get_parent();
  const bool is_below = parent != nullptr && parent->get_parent() != nullptr;
  return (is_below ? full_name(*parent) + " " : "") + command.get_name();
}

std::vector<const CLI::Option*> shown_options(const CLI::App& command) {
  std::vector<const CLI::Option*> shown;
  for (const CLI::Option* each : command.get_options())
    if (each != command.get_help_ptr()) shown.push_back(each);
  return shown;
}

bool is_flag(const CLI::Option& option) {
  return option.get_expected_max() == 0;
}

std::string man_page_name(const CLI::App* command) {
  std::string name = command ? "heddle-" + full_name(*command) : "heddle";
  std::replace(name.begin(), name.end(), ' ', '-');
  return name;
}

std::string man_page(const CLI::App& program, const CLI::App* command) {
  const CLI::App& of = command ? *command : program;
  const std::string name = man_page_name(command);
  std::string page = fmt::format(
      ".TH {0} 1 \"\" \"heddle {1}\" \"Heddle\"\n.SH NAME\n{2} \\- {3}\n.SH SYNOPSIS\n.B "
      "heddle{4}\n"
      "{5}\n",
      name, HEDDLE_VERSION, troff(name), troff(of.get_description()),
      command ? " " + full_name(*command) : "", arguments_of(of));
  const std::vector<const CLI::App*> below = all_commands(of);
  if (!below.empty()) page += ".SH COMMANDS\n";
  for (const CLI::App* each : below)
    page += fmt::format(".TP\n.BR {} (1)\n{}\n", troff(man_page_name(each)),
                        troff(each->get_description()));
  page += ".SH OPTIONS\n";
  for (const CLI::Option* each : shown_options(of))
    page += fmt::format(".TP\n.B {}\n{}\n", troff(usage_of(*each)), troff(option_text(*each)));
  page += fmt::format(".TP\n.B {}\n{}\n", troff(of.get_help_ptr()->get_name()),
                      troff(of.get_help_ptr()->get_description()));
  return page + ".SH EXIT STATUS\n" + troff(exit_codes) + ".\n";
}

std::string commands_html(const CLI::App& program) {
  std::string html =
      fmt::format("<p>Exit codes of every command: {}.</p>\n", markup_escaped(exit_codes));
  for (const CLI::App* each : all_commands(program)) {
    html += fmt::format("<h3 id=\"{0}\">heddle {1}</h3>\n<p>{2}</p>\n<p><code>{3}</code></p>\n",
                        man_page_name(each), markup_escaped(full_name(*each)),
                        markup_escaped(each->get_description()),
                        markup_escaped("heddle " + full_name(*each) + " " + arguments_of(*each)));
    std::string rows;
    for (const CLI::Option* option : shown_options(*each))
      rows += fmt::format("<tr><td><code>{}</code></td><td>{}</td></tr>\n",
                          markup_escaped(usage_of(*option)), markup_escaped(option_text(*option)));
    if (!rows.empty()) html += "<table>\n" + rows + "</table>\n";
  }
  return html;
}

}  // namespace heddle
