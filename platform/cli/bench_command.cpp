#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdio>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "platform/bench/benchmark.hpp"
#include "platform/cli/chosen_names.hpp"
#include "platform/cli/commands.hpp"
#include "platform/number/median.hpp"
#include "platform/run/child_process.hpp"
#include "platform/run/huge_heap.hpp"
#include "platform/text/diagnostic.hpp"
#include "platform/trace/named_outputs.hpp"
#include "platform/trace/wanted_file.hpp"

namespace heddle {
namespace {

using json = nlohmann::ordered_json;

struct bench_options {
  std::vector<std::string> globs;        // none: all
  std::string json_file, markdown_file;  // empty: none
  int runs = 1;                          // the median of so many is printed
};

json as_json(const bench_row& row) {
  return {{"name", row.name},
          {"value", row.value},
          {"unit", row.unit},
          {"floor", row.floor},
          {"ratio", row.ratio},
          {"bar", row.bar},
          {"bar_unit", row.holds == bench_row::held::ratio ? "x" : row.unit},
          {"bound", row.at_least ? "at_least" : "at_most"},
          {"ok", row.bar == 0 || row.meets_bar()}};
}

struct row_text {
  explicit row_text(const json& row) {
    const double number = row["value"], floor_value = row["floor"], x = row["ratio"];
    const double held = row["bar"];
    const std::string unit = row["unit"];
    value = fmt::format("{:.4g} {}", number, unit);
    if (floor_value > 0) floor = fmt::format("{:.4g} {}", floor_value, unit);
    if (x > 0) ratio = fmt::format("{:.3g} x", x);
    if (held > 0)
      bar = fmt::format("{} {:g} {}", row["bound"] == "at_least" ? ">=" : "<=", held,
                        std::string(row["bar_unit"]));
  }
  std::string value, floor = "-", ratio = "-", bar = "-";
};

void print(const json& row) {
  const row_text text(row);
  const char* verdict = row["ok"].get<bool>() ? "ok" : "MISSED";
  std::printf("%-38s %12s %14s %10s %12s  %s\n", row["name"].get<std::string>().c_str(),
              text.value.c_str(), text.floor.c_str(), text.ratio.c_str(), text.bar.c_str(),
              text.bar == "-" ? "" : verdict);
}

std::vector<std::string> all_benchmarks() {
  std::vector<std::string> names;
  for (const benchmark& each : benchmark_registry::instance().sorted()) names.push_back(each.name);
  return names;
}

// Those that any of the globs matches, in the order of their names. Each has to match some.
std::vector<std::string> benchmarks_of(const std::vector<std::string>& globs) {
  std::vector<std::string> names = all_benchmarks();
  if (globs.empty()) return names;
  require_matches("benchmark", globs, names);
  std::vector<std::string> chosen;
  for (const std::string& name : names)
    if (matches_any(globs, name)) chosen.push_back(name);
  return chosen;
}

// Rows of one name, of several runs: each figure is the median.
json median_row(const std::vector<json>& runs) {
  json row = runs.front();
  for (const char* figure : {"value", "floor", "ratio"}) {
    std::vector<double> all;
    for (const json& each : runs) all.push_back(each[figure]);
    row[figure] = median_of(all);
  }
  const double bar = row["bar"],
               held = row[row["bar_unit"] == "x" && row["ratio"] > 0 ? "ratio" : "value"];
  row["ok"] = bar == 0 || (row["bound"] == "at_least" ? held >= bar : held <= bar);
  return row;
}

std::string as_markdown(const json& rows) {
  std::string text = "| what | ours | floor | ratio | bar |\n| --- | --- | --- | --- | --- |\n";
  for (const json& row : rows) {
    const row_text each(row);
    text += fmt::format("| `{}` | {} | {} | {} | {}{} |\n", std::string(row["name"]), each.value,
                        each.floor, each.ratio, each.bar, row["ok"].get<bool>() ? "" : ", missed");
  }
  return text;
}

// 1 when a benchmark failed; the others are measured all the same.
int bench(const bench_options& options) {
  const std::vector<std::string> chosen = benchmarks_of(options.globs);
  check_named_outputs({}, {{"--json", options.json_file}, {"--markdown", options.markdown_file}});
  wanted_file json_file(options.json_file), markdown_file(options.markdown_file);
  json rows = json::array();
  int status = 0;
  std::printf("%-38s %12s %14s %10s %12s\n", "benchmark", "ours", "floor", "ratio", "bar");
  for (const std::string& name : chosen) {
    std::vector<std::string> order;
    std::map<std::string, std::vector<json>> runs;
    for (int run = 0; run < options.runs; ++run) {
      const child_result child = run_self({"bench-child", name});
      if (child.exit_code != 0) {
        std::fprintf(stderr, "benchmark %s failed: %s\n", name.c_str(), child.errors.c_str());
        status = 1;
        break;
      }
      for (const json& row : json::parse(child.output)) {
        if (runs.count(row["name"]) == 0) order.push_back(row["name"]);
        runs[row["name"]].push_back(row);
      }
    }
    for (const std::string& each : order) {
      rows.push_back(median_row(runs[each]));
      print(rows.back());
    }
    std::fflush(stdout);
  }
  if (json_file) json_file.write(rows.dump(1) + "\n");
  if (markdown_file) markdown_file.write(as_markdown(rows));
  return status;
}

// In the heap with huge pages that a run has, so that it measures what a user waits for.
int bench_child(const std::string& name) {
  ask_for_huge_heap();
  for (const benchmark& each : benchmark_registry::instance().sorted()) {
    if (each.name != name) continue;
    json rows = json::array();
    for (const bench_row& row : each.run()) {
      if (!std::isfinite(row.value) || !std::isfinite(row.floor) || !std::isfinite(row.ratio))
        throw user_error(row.name + ": took too short a time to be measured");
      rows.push_back(as_json(row));
    }
    std::printf("%s\n", rows.dump().c_str());
    return 0;
  }
  throw user_error("no benchmark '" + name + "'");
}

}  // namespace

command_action declare_bench(CLI::App& command) {
  const auto options = std::make_shared<bench_options>();
  command.add_option("GLOB", options->globs, "which ones, any number");
  command.add_option("--runs", options->runs, "of which the median is printed")
      ->check(CLI::Range(1, 99));
  command.add_option("--json", options->json_file, "also write the rows to this file");
  command.add_option("--markdown", options->markdown_file, "also write them as a table");
  return [options] { return bench(*options); };
}

command_action declare_bench_child(CLI::App& command) {
  const auto name = std::make_shared<std::string>();
  command.add_option("NAME", *name)->required();
  return [name] { return bench_child(*name); };
}

}  // namespace heddle
