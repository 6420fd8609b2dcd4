#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "platform/cli/commands.hpp"
#include "platform/cli/completion_scripts.hpp"
#include "platform/cli/markdown.hpp"
#include "platform/cli/netlist_language.hpp"
#include "platform/cli/program_pages.hpp"
#include "platform/cli/reference_page.hpp"
#include "platform/report/report_page.hpp"
#include "platform/run/results.hpp"
#include "platform/text/diagnostic.hpp"

// What the program knows of itself, as files for its installation: a page of HTML, man pages,
// completions for shells.
namespace heddle {
namespace {

void make_folder(const std::filesystem::path& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) throw user_error("cannot create '" + folder.string() + "': " + failed.message());
}

std::string reference_html(const CLI::App& program) {
  return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Heddle " +
         std::string(HEDDLE_VERSION) + "</title>\n<style>\n" + report_style() +
         "td, th { text-align: left; white-space: normal; vertical-align: top; }\n"
         "</style></head><body><main>\n<h1>Heddle " HEDDLE_VERSION
         "</h1>\n<p>Generated from what the program knows of itself: <a href=\"#commands\">commands"
         "</a>, <a href=\"#netlist-the-netlist-language\">the netlist language</a> and <a "
         "href=\"#netlist-results\">what results mean</a>, "
         "<a href=\"#workloads\">workloads</a>, <a href=\"#topologies\">topologies</a>, "
         "<a href=\"#links\">links</a>, <a href=\"#units\">units</a>.</p>\n"
         "<h2 id=\"commands\">Commands</h2>\n" +
         commands_html(program) + markdown_html(netlist_language(), "netlist") +
         "<h2 id=\"workloads\">Workloads</h2>\n" + workloads_html() +
         "<h2 id=\"topologies\">Topologies</h2>\n" + topologies_html() +
         "<h2 id=\"links\">Links</h2>\n" + links_html() + "<h2 id=\"units\">Units</h2>\n" +
         units_html() + "</main></body></html>\n";
}

int write_docs(const CLI::App& program, const std::string& directory) {
  const std::filesystem::path root(directory);
  make_folder(root / "man1");
  make_folder(root / "completions");
  write_text((root / "heddle.html").string(), reference_html(program));
  write_text((root / "man1/heddle.1").string(), man_page(program, nullptr));
  for (const CLI::App* each : all_commands(program))
    write_text((root / "man1" / (man_page_name(each) + ".1")).string(), man_page(program, each));
  write_text((root / "completions/heddle.bash").string(), bash_completion(program));
  write_text((root / "completions/_heddle").string(), zsh_completion(program));
  write_text((root / "completions/heddle.fish").string(), fish_completion(program));
  std::printf("documentation: %s\n", directory.c_str());
  return 0;
}

}  // namespace

command_action declare_docs(CLI::App& command) {
  const auto directory = std::make_shared<std::string>();
  command.add_option("DIR", *directory, "the folder for them")->required();
  return [directory, program = command.get_parent()] { return write_docs(*program, *directory); };
}

}  // namespace heddle
