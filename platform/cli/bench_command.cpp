#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>

#include "platform/bench/benchmark.hpp"
#include "platform/cli/commands.hpp"
#include "platform/run/child_process.hpp"
#include "platform/text/suggest.hpp"
#include "platform/trace/glob.hpp"
#include "platform/trace/output_file.hpp"

namespace heddle {
namespace {

using json = nlohmann::ordered_json;

json as_json(const bench_row& row) {
  return {{"name", row.name},
          {"value", row.value},
          {"unit", row.unit},
          {"floor", row.floor},
          {"ratio", row.ratio},
          {"bar", row.bar},
          {"bound", row.at_least ? "at_least" : "at_most"}};
}

void print(const json& row) {
  const double bar = row["bar"];
  const double ratio = row["ratio"];
  const bool at_least = row["bound"] == "at_least";
  const bool is_held = at_least ? ratio >= bar : ratio <= bar;
  const double floor = row["floor"];
  const std::string unit = row["unit"];
  std::printf("%-44s %10s %12s %8s %10s  %s\n", row["name"].get<std::string>().c_str(),
              fmt::format("{:.4g} {}", row["value"].get<double>(), unit).c_str(),
              floor > 0 ? fmt::format("{:.4g} {}", floor, unit).c_str() : "-",
              fmt::format("{:.2f} x", ratio).c_str(),
              bar > 0 ? fmt::format("{} {:g} x", at_least ? ">=" : "<=", bar).c_str() : "-",
              bar == 0  ? ""
              : is_held ? "ok"
                        : "MISSED");
}

std::vector<std::string> benchmarks_of(const std::string& glob) {
  std::vector<std::string> names, chosen;
  for (const benchmark& each : benchmark_registry::instance().sorted()) {
    names.push_back(each.name);
    if (glob_match(glob, each.name)) chosen.push_back(each.name);
  }
  if (chosen.empty())
    throw user_error("no benchmark matches '" + glob + "'" + did_you_mean(glob, names));
  return chosen;
}

}  // namespace

int bench_command(const std::string& glob, const std::string& json_file) {
  const std::vector<std::string> chosen = benchmarks_of(glob);
  // What cannot be written is said before anything is measured.
  std::optional<output_file> file;
  if (!json_file.empty()) file.emplace(json_file);
  json rows = json::array();
  std::printf("%-44s %10s %12s %8s %10s\n", "benchmark", "ours", "floor", "ratio", "bar");
  for (const std::string& name : chosen) {
    const child_result child = run_self({"bench-child", name});
    if (child.exit_code != 0) throw user_error("benchmark " + name + " failed: " + child.errors);
    for (const json& row : json::parse(child.output)) {
      print(row);
      rows.push_back(row);
    }
    std::fflush(stdout);
  }
  if (file) {
    file->write(rows.dump(1) + "\n");
    file->commit();
  }
  return 0;
}

int bench_child_command(const std::string& name) {
  for (const benchmark& each : benchmark_registry::instance().sorted()) {
    if (each.name != name) continue;
    json rows = json::array();
    for (const bench_row& row : each.run()) rows.push_back(as_json(row));
    std::printf("%s\n", rows.dump().c_str());
    return 0;
  }
  throw user_error("no benchmark '" + name + "'");
}

}  // namespace heddle
