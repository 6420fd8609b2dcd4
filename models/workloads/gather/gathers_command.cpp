// heddle gathers: what the gathers of a run did, for a person: their table, how many nodes were
// still active when, which node was the last, what it had more of than the mean node, and where
// the time of its last unit went.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "models/workloads/gather/active_nodes.hpp"
#include "models/workloads/gather/print_text.hpp"
#include "platform/cli/command_registry.hpp"
#include "platform/report/report_run.hpp"
#include "platform/text/diagnostic.hpp"
#include "platform/trace/named_outputs.hpp"
#include "platform/trace/output_file.hpp"

namespace heddle {
namespace {

using json = nlohmann::ordered_json;

constexpr const char* kinds = "gathers: workload `kind: gather`, spmv, spmm or sddmm";

struct gathers_options {
  std::string directory, svg_file, csv_file;
};

std::string name_of(const json& row) {
  return fmt::format("{}, K = {}", row["features"].get<std::string>(), row["k"].get<int>());
}

active_nodes active_of(const json& row) {
  active_nodes of{name_of(row), {}};
  for (const json& node : row["nodes"]) of.ends.push_back(node["time_s"].get<double>());
  std::sort(of.ends.begin(), of.ends.end());
  return of;
}

std::string micros(double seconds) {
  return fmt::format("{:.2f} us", 1e6 * seconds);
}

std::vector<std::string> table_of(const json& rows) {
  std::vector<std::string> lines = {
      fmt::format("{:<20}{:>12}{:>12}{:>9}{:>7}{:>10}{:>9}{:>10}{:>10}{:>6}{:>7}{:>6}", "gather",
                  "time", "over SUOpt", "goodput", "line", "traffic", "filtered", "coalesced",
                  "issued", "PRs", "hits", "tail")};
  const auto percent = [](double share) { return fmt::format("{:.1f} %", 100 * share); };
  for (const json& row : rows) {
    const json& tail = row["tail"];
    const auto remote = row["remote"].get<double>();
    const auto share = [&](const char* key) {
      return remote > 0 ? percent(row[key].get<double>() / remote) : "-";
    };
    lines.push_back(fmt::format(
        "{:<20}{:>12}{:>12}{:>9}{:>7}{:>10}{:>9}{:>10}{:>10}{:>6.1f}{:>7}{:>6}", name_of(row),
        micros(row["time_s"].get<double>()), fmt::format("{:.2f} x", row["speedup"].get<double>()),
        percent(tail["goodput"].get<double>()), percent(tail["utilization"].get<double>()),
        fmt::format("{:.1f} x", tail["traffic_reduction"].get<double>()), share("filtered"),
        share("coalesced"), share("issued"), tail["requests_a_packet"].get<double>(),
        percent(row["hit_rate"].get<double>()), tail["node"].get<int>()));
  }
  lines.emplace_back(
      "  filtered, coalesced, issued, hits: of all nodes; goodput, line, traffic, PRs: of "
      "the tail node");
  return lines;
}

// What the path's parts mean.
std::string meaning_of(const std::string& part) {
  if (part == "host") return "idle: the host posts commands and learns of their end";
  if (part == "indices") return "waits for indices from the host's memory";
  if (part == "scan") return "takes an index a cycle";
  if (part == "filter") return "waits for loads of the filter";
  if (part == "pending") return "waits for an entry of the pending table";
  if (part == "transmit") return "waits for the transmit queue or buffer";
  return "waits for the last responses of a command";
}

void print_tail(const json& row, const active_nodes& active) {
  const json& tail = row["tail"];
  const auto node = tail["node"].get<std::size_t>();
  print_text("\n{}: node {} ends last, after {}; the mean node after {}\n", name_of(row), node,
             micros(active.last()), micros(active.mean()));
  print_text("  bound of the whole gather: {} ({} of node {}); of this node: {} ({})\n",
             micros(row["bound"]["seconds"].get<double>()), row["bound"]["by"].get<std::string>(),
             row["bound"]["node"].get<int>(), micros(tail["bound_s"].get<double>()),
             tail["bound_by"].get<std::string>());
  print_text("  over the mean node:");
  const char* separator = " ";
  for (const auto& [key, load] : tail["over_mean"].items()) {
    std::string name = key;
    std::replace(name.begin(), name.end(), '_', ' ');
    print_text("{}{} {:.2f} x", separator, name, load.get<double>());
    separator = ", ";
  }
  print_text("\n  critical path, through its unit {}:\n", tail["unit"].get<int>());
  for (const auto& [name, time] : tail["path"].items()) {
    const auto seconds = time.get<double>();
    if (seconds == 0) continue;
    print_text("    {:>6.1f} % {:>12}  {}\n", 100 * seconds / active.last(), micros(seconds),
               meaning_of(name));
  }
  print_text("  active nodes:");
  for (const double share : {0.75, 0.5, 0.25, 0.1, 0.})
    print_text(" {:.0f} % from {}{}", 100 * share, micros(active.until(share)),
               share > 0 ? "," : "\n");
}

void write(const std::string& path, const std::string& text) {
  output_file file(path);
  file.write(text);
  file.commit();
}

int gathers_command(const gathers_options& options) {
  check_named_outputs(result_files(options.directory),
                      {{"--svg", options.svg_file}, {"--csv", options.csv_file}});
  const report_run run =
      read_report_run(options.directory,
                      fmt::format("`heddle gathers` needs the directory of a run with {}", kinds));
  const auto rows = run.stats.find("gathers");
  if (rows == run.stats.end() && run.stats["exit"] != 0)
    throw user_error("'" + options.directory +
                     "' is a run that failed; it holds no gather that ended");
  if (rows == run.stats.end() || rows->empty())
    throw user_error(fmt::format("'{}' is no run with {}", options.directory, kinds));
  std::vector<active_nodes> active;
  for (const json& row : *rows) {
    if (!row.contains("tail"))
      throw user_error("a gather of this run did not end, or had nothing to fetch");
    active.push_back(active_of(row));
  }
  const std::string title =
      fmt::format("{} of {}, {} nodes", rows->front()["name"].get<std::string>(),
                  rows->front()["matrix"].get<std::string>(), rows->front()["nodes"].size());
  const std::vector<std::string> table = table_of(*rows);
  print_text("{}\n", title);
  for (const std::string& line : table) print_text("{}\n", line);
  for (std::size_t i = 0; i < active.size(); ++i) print_tail((*rows)[i], active[i]);
  if (!options.csv_file.empty()) write(options.csv_file, csv_of(active));
  if (!options.svg_file.empty()) write(options.svg_file, svg_of(active, title, table));
  return 0;
}

std::function<int()> declare(CLI::App& command) {
  const auto options = std::make_shared<gathers_options>();
  command.add_option("DIR", options->directory, "results of a run")->required();
  command.add_option("--svg", options->svg_file, "draw active nodes over time and the table");
  command.add_option("--csv", options->csv_file, "active nodes over time");
  return [options] { return gathers_command(*options); };
}

HEDDLE_REGISTER_COMMAND(gathers, {"gathers",
                                  "gathers of a run: table, active nodes over time, tail node and "
                                  "its critical path",
                                  &declare});

}  // namespace
}  // namespace heddle
