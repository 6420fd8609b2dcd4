#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "platform/claims/claim.hpp"
#include "platform/cli/commands.hpp"
#include "platform/run/child_process.hpp"
#include "platform/text/suggest.hpp"
#include "platform/trace/glob.hpp"
#include "platform/trace/output_file.hpp"

namespace heddle {
namespace {

using json = nlohmann::ordered_json;
namespace fs = std::filesystem;

// "collectives[0].algbw_Bps" as a JSON pointer: "/collectives/0/algbw_Bps". A unit's path is one
// key.
json::json_pointer pointer_to(const std::string& path) {
  const std::string units = "units.";
  if (path.rfind(units, 0) == 0) {
    const std::size_t last = path.rfind('.');
    return json::json_pointer("/units") / path.substr(units.size(), last - units.size()) /
           path.substr(last + 1) / "value";
  }
  std::string pointer = "/";
  for (char c : path) {
    if (c == ']') continue;
    pointer += c == '.' || c == '[' ? '/' : c;
  }
  return json::json_pointer(pointer);
}

std::vector<std::string> arguments_of(const claim_run& run, const fs::path& folder) {
  const bool is_study = !run.study.empty();
  std::vector<std::string> arguments;
  if (is_study)
    arguments = {run.study, "--json", (folder / "stats.json").string()};
  else
    arguments = {"run", run.netlist, "--quiet", "--out", folder.string()};
  for (const auto& [name, value] : run.sets) {
    arguments.push_back(is_study ? "--" + name : "--set");
    arguments.push_back(is_study ? value : name + "=" + value);
  }
  return arguments;
}

// Rows that follow each other often look at one run.
struct last_run {
  std::vector<std::string> arguments;
  json stats;
};

double result_of(const claim& of, const claim_run& run, const fs::path& folder, last_run& last) {
  const std::vector<std::string> arguments = arguments_of(run, folder);
  if (arguments != last.arguments) {
    fs::create_directories(folder);
    const child_result child = run_self(arguments);
    if (child.exit_code != 0)
      throw user_error(of.id + ": " +
                       (run.study.empty() ? "the run of " + run.netlist : run.study) +
                       " failed: " + child.errors);
    std::ifstream file(folder / "stats.json");
    last = {arguments, json::parse(file)};
  }
  return last.stats.at(pointer_to(run.ours)).get<double>();
}

double reproduce(const claim& of, const claim_case& one, const fs::path& folder, last_run& last) {
  const double ours = one.scale * result_of(of, one.run, folder, last);
  return one.over ? ours / result_of(of, *one.over, folder, last) : ours;
}

json judge(const claim& of, const claim_case& one, double ours) {
  const double error = one.source != 0 ? (ours - one.source) / one.source : ours;
  const bool is_ok = (of.limit == claim::bound::at_most || error >= -of.tolerance) &&
                     (of.limit == claim::bound::at_least || error <= of.tolerance);
  return {{"id", one.name.empty() ? of.id : of.id + " " + one.name},
          {"kind", of.kind},
          {"where", of.where},
          {"source", one.source},
          {"ours", ours},
          {"unit", of.unit},
          {"error", error},
          {"tolerance", of.tolerance},
          {"verdict", is_ok ? "ok" : "off"},
          {"reason", is_ok                ? ""
                     : one.reason.empty() ? of.reason
                                          : one.reason}};
}

// Words in lines of at most so many characters, indented.
std::string wrapped(const std::string& text) {
  constexpr std::size_t longest = 96;
  constexpr const char* indent = "    ";
  std::istringstream words(text);
  std::string all, line = indent;
  for (std::string word; words >> word;) {
    if (line.size() + 1 + word.size() > longest) {
      all += line + "\n";
      line = indent;
    }
    line += (line == indent ? "" : " ") + word;
  }
  return all + line + "\n";
}

void print_heading() {
  std::printf("%-44s %-9s %10s %10s %-7s %9s %7s  %s\n", "claim", "kind", "source", "ours", "unit",
              "error", "within", "verdict");
}

void print(const json& row) {
  std::printf("%-44s %-9s %10.5g %10.5g %-7s %+7.2f %% %5.1f %%  %s\n",
              row["id"].get<std::string>().c_str(), row["kind"].get<std::string>().c_str(),
              row["source"].get<double>(), row["ours"].get<double>(),
              row["unit"].get<std::string>().c_str(), 100 * row["error"].get<double>(),
              100 * row["tolerance"].get<double>(), row["verdict"].get<std::string>().c_str());
  const std::string reason = row["reason"].get<std::string>();
  if (!reason.empty()) std::fputs(wrapped(reason).c_str(), stdout);
  std::fflush(stdout);
}

bool matches_any(const std::vector<std::string>& globs, const std::string& id) {
  return std::any_of(globs.begin(), globs.end(),
                     [&](const std::string& each) { return glob_match(each, id); });
}

// A glob without claims is a mistake, also beside others that have some.
void check_globs(const std::vector<std::string>& globs, const std::vector<claim>& claims) {
  std::vector<std::string> ids;
  for (const claim& each : claims) ids.push_back(each.id);
  for (const std::string& glob : globs)
    if (std::none_of(ids.begin(), ids.end(),
                     [&](const std::string& id) { return glob_match(glob, id); }))
      throw user_error("no claim matches '" + glob + "'" + did_you_mean(glob, ids));
}

}  // namespace

int reproduce_command(const std::vector<std::string>& globs, const std::string& json_file) {
  const fs::path folder = fs::temp_directory_path() / fmt::format("heddle-reproduce-{}", getpid());
  const std::vector<claim> claims = read_claims();
  check_globs(globs, claims);
  json rows = json::array();
  last_run last;
  print_heading();
  for (const claim& each : claims) {
    if (!matches_any(globs, each.id)) continue;
    for (const claim_case& one : each.cases) {
      rows.push_back(judge(each, one, reproduce(each, one, folder, last)));
      print(rows.back());
    }
  }
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  if (!json_file.empty()) {
    output_file file(json_file);
    file.write(rows.dump(1) + "\n");
    file.commit();
  }
  return 0;
}

}  // namespace heddle
