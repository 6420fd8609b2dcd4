#include "platform/claims/claim_runs.hpp"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <cctype>
#include <fstream>
#include <limits>
#include <memory>
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

// The option by which the run takes that setting. "": it is a positional argument of a study, whose
// name is in capitals as in the help of the command.
std::string option_for(const claim_run& run, const std::string& name) {
  if (run.study.empty()) return "--set";
  const auto is_lower = [](unsigned char c) { return std::islower(c) != 0; };
  return std::any_of(name.begin(), name.end(), is_lower) ? "--" + name : "";
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
    const std::string option = option_for(run, name);
    if (!option.empty()) arguments.push_back(option);
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

// Runs it, and keeps in the folder what the run leaves.
fs::path run_in(const fs::path& kept, const std::string& claim, const claim_run& run) {
  const fs::path results = kept / "results";
  fs::create_directories(results);
  std::vector<std::string> arguments = arguments_of(run);
  if (run.study.empty())
    arguments.insert(arguments.end(), {"--out", results.string()});
  else
    arguments.insert(arguments.end(), {"--json", (results / "stats.json").string()});
  const child_result child = run_self(arguments);
  if (child.exit_code != 0)
    throw user_error(claim + ": " + (run.study.empty() ? "the run of " + run.netlist : run.study) +
                     " failed: " + child.errors);
  fs::rename(results / "stats.json", kept / "stats.json");
  if (run.study.empty()) fs::rename(results / "config.yaml", kept / "config.yaml");
  fs::remove_all(results);
  return kept;
}

}  // namespace

claim_runs::claim_runs(std::size_t at_once) : workers_(at_once) {}

claim_runs::~claim_runs() {
  workers_.stop();
  workers_.join();
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

void claim_runs::begin(const claim& of) {
  for (const claim_case& one : of.cases) begin(of, one);
}

void claim_runs::begin(const claim& of, const claim_case& one, const claim_sets& more) {
  for (const claim_sets& point : one.points) {
    for (const claim_sets& variant : one.best_of)
      results_of(of, with(with(with(one.run, point), variant), more));
    if (one.over) results_of(of, with(with(*one.over, point), more));
  }
}

double claim_runs::result_of(const claim& of, const claim_run& run) {
  std::ifstream file(results_of(of, run).get() / "stats.json");
  return json::parse(file).at(pointer_to(run.ours)).get<double>();
}

const claim_runs::kept_results& claim_runs::results_of(const claim& of, const claim_run& run) {
  const std::vector<std::string> arguments = arguments_of(run);
  const auto found = begun_.find(arguments);
  if (found != begun_.end()) return found->second;
  // A task is copied on its way to a worker, which a packaged_task alone cannot be.
  const auto task = std::make_shared<std::packaged_task<fs::path()>>(
      [kept = folder_.path() / std::to_string(begun_.size()), claim = of.id, run] {
        return run_in(kept, claim, run);
      });
  boost::asio::post(workers_, [task] { (*task)(); });
  return begun_.emplace(arguments, task->get_future().share()).first->second;
}

yaml_node claim_runs::configuration_of(const claim_run& run) const {
  return parse_yaml_file((begun_.at(arguments_of(run)).get() / "config.yaml").string());
}

claim_run first_run_of(const claim_case& one) {
  return with(with(one.run, one.points.front()), one.best_of.front());
}

std::string command_of(const claim_run& run) {
  std::string text = "heddle " + (run.study.empty() ? "run " + run.netlist : run.study);
  for (const auto& [name, value] : run.sets) {
    const std::string word = run.study.empty() ? name + "=" + value : value;
    const std::string option = option_for(run, name);
    if (!option.empty()) text += " " + option;
    text += " " + (is_plain(word) ? word : "'" + word + "'");
  }
  return text;
}

}  // namespace heddle
