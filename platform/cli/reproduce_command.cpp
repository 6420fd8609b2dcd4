#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "platform/claims/claim.hpp"
#include "platform/cli/claim_table.hpp"
#include "platform/cli/command_registry.hpp"
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

// Runs of claims; several cases may want the same one.
class claim_runs {
 public:
  claim_runs()
      : folder_(fs::temp_directory_path() / fmt::format("heddle-reproduce-{}", getpid())) {}
  ~claim_runs() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  claim_runs(const claim_runs&) = delete;
  claim_runs& operator=(const claim_runs&) = delete;

  double result_of(const claim& of, const claim_run& run) {
    const std::vector<std::string> arguments = arguments_of(run, folder_);
    auto found = done_.find(arguments);
    if (found == done_.end()) found = done_.emplace(arguments, stats_of(of, run, arguments)).first;
    return found->second.at(pointer_to(run.ours)).get<double>();
  }

 private:
  json stats_of(const claim& of, const claim_run& run, const std::vector<std::string>& arguments) {
    fs::create_directories(folder_);
    const child_result child = run_self(arguments);
    if (child.exit_code != 0)
      throw user_error(of.id + ": " +
                       (run.study.empty() ? "the run of " + run.netlist : run.study) +
                       " failed: " + child.errors);
    std::ifstream file(folder_ / "stats.json");
    json stats = json::parse(file);
    return stats;
  }

  fs::path folder_;
  std::map<std::vector<std::string>, json> done_;
};

claim_run with(claim_run run, const claim_sets& more) {
  run.sets.insert(run.sets.end(), more.begin(), more.end());
  return run;
}

double reproduce(const claim& of, const claim_case& one, claim_runs& runs) {
  std::vector<double> results;
  for (const claim_sets& point : one.points) {
    double best = std::numeric_limits<double>::infinity();
    for (const claim_sets& variant : one.best_of)
      best = std::min(best, runs.result_of(of, with(with(one.run, point), variant)));
    best *= one.scale;
    results.push_back(one.over ? best / runs.result_of(of, with(*one.over, point)) : best);
  }
  return taken_of(one, results);
}

const char* name_of(claim::bound limit) {
  switch (limit) {
    case claim::bound::at_least:
      return "at_least";
    case claim::bound::at_most:
      return "at_most";
    default:
      return "";
  }
}

json judge(const claim& of, const claim_case& one, double ours) {
  const double error = one.source != 0 ? (ours - one.source) / one.source : ours;
  const bool is_ok = (of.limit == claim::bound::at_most || error >= -of.tolerance) &&
                     (of.limit == claim::bound::at_least || error <= of.tolerance);
  return {{"id", row_name(of, one)},
          {"kind", of.kind},
          {"where", of.where},
          {"source", one.source},
          {"ours", ours},
          {"unit", of.unit},
          {"error", error},
          {"tolerance", of.tolerance},
          {"bound", name_of(of.limit)},
          {"verdict", is_ok ? "ok" : "off"},
          {"reason", is_ok ? "" : reason_of(of, one)}};
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

void check_study(const claim_run& run) {
  const std::vector<std::string> known = command_registry::instance().studies();
  if (!run.study.empty() && std::find(known.begin(), known.end(), run.study) == known.end())
    throw user_error(run.study_place,
                     "no command '" + run.study + "'" + did_you_mean(run.study, known));
}

void check_studies(const std::vector<claim>& claims) {
  for (const claim& each : claims)
    for (const claim_case& one : each.cases) {
      check_study(one.run);
      if (one.over) check_study(*one.over);
    }
}

std::vector<claim> claims_of(const std::vector<std::string>& globs) {
  std::vector<claim> claims = read_claims();
  check_studies(claims);
  check_globs(globs, claims);
  const auto nobody_asks_for = [&](const claim& each) {
    return std::none_of(globs.begin(), globs.end(),
                        [&](const std::string& glob) { return glob_match(glob, each.id); });
  };
  claims.erase(std::remove_if(claims.begin(), claims.end(), nobody_asks_for), claims.end());
  return claims;
}

}  // namespace

int reproduce_command(const std::vector<std::string>& globs, const std::string& json_file) {
  const std::vector<claim> claims = claims_of(globs);
  // What cannot be written is said before anything is simulated.
  std::optional<output_file> file;
  if (!json_file.empty()) file.emplace(json_file);
  json rows = json::array();
  claim_runs runs;
  claim_table table(claims);
  for (const claim& each : claims)
    for (std::size_t i = 0; i < each.cases.size(); ++i) {
      rows.push_back(judge(each, each.cases[i], reproduce(each, each.cases[i], runs)));
      table.add(each, i, rows.back());
    }
  table.finish();
  if (file) {
    file->write(rows.dump(1) + "\n");
    file->commit();
  }
  return 0;
}

}  // namespace heddle
