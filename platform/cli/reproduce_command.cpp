#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

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

// "collectives[0].algbw_Bps" as a JSON pointer: "/collectives/0/algbw_Bps".
json::json_pointer pointer_to(const std::string& path) {
  std::string pointer = "/";
  for (char c : path) {
    if (c == ']') continue;
    pointer += c == '.' || c == '[' ? '/' : c;
  }
  return json::json_pointer(pointer);
}

double simulate(const claim& of, const claim_case& one, const fs::path& folder) {
  std::vector<std::string> arguments = {"run", one.netlist, "--quiet", "--out", folder.string()};
  for (const auto& [path, value] : one.sets) {
    arguments.emplace_back("--set");
    arguments.push_back(path + "=" + value);
  }
  const child_result child = run_self(arguments);
  if (child.exit_code != 0)
    throw user_error(of.id + ": the run of " + one.netlist + " failed: " + child.errors);
  std::ifstream file(folder / "stats.json");
  return json::parse(file).at(pointer_to(one.ours)).get<double>() * one.scale;
}

json judge(const claim& of, const claim_case& one, double ours) {
  const double error = one.source != 0 ? (ours - one.source) / one.source : ours;
  const bool is_ok = std::abs(error) <= of.tolerance;
  return {{"id", one.name.empty() ? of.id : of.id + " " + one.name},
          {"kind", of.kind},
          {"where", of.where},
          {"source", one.source},
          {"ours", ours},
          {"unit", of.unit},
          {"error", error},
          {"tolerance", of.tolerance},
          {"verdict", is_ok ? "ok" : "off"},
          {"reason", is_ok ? "" : of.reason}};
}

void print(const json& row) {
  std::printf("%-34s %-9s %10.5g %10.5g %-6s %+7.2f %% %5.1f %%  %s %s\n",
              row["id"].get<std::string>().c_str(), row["kind"].get<std::string>().c_str(),
              row["source"].get<double>(), row["ours"].get<double>(),
              row["unit"].get<std::string>().c_str(), 100 * row["error"].get<double>(),
              100 * row["tolerance"].get<double>(), row["verdict"].get<std::string>().c_str(),
              row["reason"].get<std::string>().c_str());
  std::fflush(stdout);
}

}  // namespace

int reproduce_command(const std::string& glob, const std::string& json_file) {
  const fs::path folder = fs::temp_directory_path() / fmt::format("heddle-reproduce-{}", getpid());
  json rows = json::array();
  std::vector<std::string> ids;
  for (const claim& each : read_claims()) {
    ids.push_back(each.id);
    if (!glob_match(glob, each.id)) continue;
    if (rows.empty())
      std::printf("%-34s %-9s %10s %10s %-6s %9s %7s  %s\n", "claim", "kind", "source", "ours",
                  "unit", "error", "within", "verdict");
    for (const claim_case& one : each.cases) {
      rows.push_back(judge(each, one, simulate(each, one, folder)));
      print(rows.back());
    }
  }
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  if (rows.empty()) throw user_error("no claim matches '" + glob + "'" + did_you_mean(glob, ids));
  if (!json_file.empty()) {
    output_file file(json_file);
    file.write(rows.dump(1) + "\n");
    file.commit();
  }
  return 0;
}

}  // namespace heddle
