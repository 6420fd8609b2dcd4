#include "platform/claims/claim_runs.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>

#include "platform/run/child_process.hpp"
#include "platform/yaml/parse.hpp"

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

claim_run with(claim_run run, const claim_sets& more) {
  run.sets.insert(run.sets.end(), more.begin(), more.end());
  return run;
}

bool is_plain(const std::string& word) {
  return word.find_first_of(" *?[]{}$'\"") == std::string::npos;
}

}  // namespace

claim_runs::claim_runs()
    : folder_(fs::temp_directory_path() / fmt::format("heddle-reproduce-{}", getpid())) {}

claim_runs::~claim_runs() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

double claim_runs::figure_of(const claim& of, const claim_case& one, const claim_sets& more) {
  std::vector<double> results;
  for (const claim_sets& point : one.points) {
    double best = std::numeric_limits<double>::infinity();
    for (const claim_sets& variant : one.best_of)
      best = std::min(best, result_of(of, with(with(with(one.run, point), variant), more)));
    best *= one.scale;
    results.push_back(one.over ? best / result_of(of, with(with(*one.over, point), more)) : best);
  }
  return taken_of(one, results);
}

double claim_runs::result_of(const claim& of, const claim_run& run) {
  const std::vector<std::string> arguments = arguments_of(run, folder_);
  auto found = done_.find(arguments);
  if (found == done_.end()) found = done_.emplace(arguments, outcome_of(of, run, arguments)).first;
  return found->second.stats.at(pointer_to(run.ours)).get<double>();
}

claim_runs::outcome claim_runs::outcome_of(const claim& of, const claim_run& run,
                                           const std::vector<std::string>& arguments) {
  fs::create_directories(folder_);
  const child_result child = run_self(arguments);
  if (child.exit_code != 0)
    throw user_error(of.id + ": " + (run.study.empty() ? "the run of " + run.netlist : run.study) +
                     " failed: " + child.errors);
  std::ifstream file(folder_ / "stats.json");
  outcome made{json::parse(file), {}};
  if (run.study.empty()) made.configuration = parse_yaml_file((folder_ / "config.yaml").string());
  return made;
}

const yaml_node& claim_runs::configuration_of(const claim_run& run) const {
  return done_.at(arguments_of(run, folder_)).configuration;
}

claim_run first_run_of(const claim_case& one) {
  return with(with(one.run, one.points.front()), one.best_of.front());
}

std::string command_of(const claim_run& run) {
  std::string text = "heddle " + (run.study.empty() ? "run " + run.netlist : run.study);
  for (const auto& [name, value] : run.sets) {
    const std::string word = run.study.empty() ? name + "=" + value : value;
    text += (run.study.empty() ? " --set " : " --" + name + " ") +
            (is_plain(word) ? word : "'" + word + "'");
  }
  return text;
}

}  // namespace heddle
