#include "platform/claims/claim_runs.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

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

// Without where its results go.
std::vector<std::string> arguments_of(const claim_run& run) {
  const bool is_study = !run.study.empty();
  std::vector<std::string> arguments;
  if (is_study)
    arguments = {run.study};
  else
    arguments = {"run", run.netlist, "--quiet"};
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
  const std::vector<std::string> arguments = arguments_of(run);
  auto found = done_.find(arguments);
  if (found == done_.end()) found = done_.emplace(arguments, outcome_of(of, run)).first;
  std::ifstream file(found->second / "stats.json");
  return json::parse(file).at(pointer_to(run.ours)).get<double>();
}

fs::path claim_runs::outcome_of(const claim& of, const claim_run& run) {
  fs::path kept = folder_ / std::to_string(done_.size());
  const fs::path results = folder_ / "results";
  fs::create_directories(kept);
  fs::create_directories(results);
  std::vector<std::string> arguments = arguments_of(run);
  if (run.study.empty())
    arguments.insert(arguments.end(), {"--out", results.string()});
  else
    arguments.insert(arguments.end(), {"--json", (results / "stats.json").string()});
  const child_result child = run_self(arguments);
  if (child.exit_code != 0)
    throw user_error(of.id + ": " + (run.study.empty() ? "the run of " + run.netlist : run.study) +
                     " failed: " + child.errors);
  fs::rename(results / "stats.json", kept / "stats.json");
  if (run.study.empty()) fs::rename(results / "config.yaml", kept / "config.yaml");
  fs::remove_all(results);
  return kept;
}

yaml_node claim_runs::configuration_of(const claim_run& run) const {
  return parse_yaml_file((done_.at(arguments_of(run)) / "config.yaml").string());
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
