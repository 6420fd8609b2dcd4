#include "platform/run/report_record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "platform/registers/register_directory.hpp"
#include "platform/registers/register_file.hpp"
#include "platform/services/latency_book.hpp"

namespace heddle {
namespace {

using json = nlohmann::ordered_json;

constexpr std::size_t most_paths = 8;     // each is up to 100 KB of JSON
constexpr std::size_t most_shares = 200;  // of a path

json path_json(const breakdown& path, const std::string& row) {
  json shares = json::array(), steps = json::array();
  for (std::size_t i = 0; i < std::min(most_shares, path.shares.size()); ++i) {
    const path_share& each = path.shares[i];
    shares.push_back({name_of(each.what), each.where, seconds(each.length), each.steps});
  }
  for (const path_span& each : path.steps)
    steps.push_back({name_of(each.what), each.where, seconds(each.begin), seconds(each.length)});
  return {{"row", row}, {"shares", shares}, {"steps", steps}};
}

// "collectives[2]": where a result stands in stats.json.
std::string row_of(const run_report& report, std::size_t result) {
  const std::string& array = report.results[result].array;
  const auto before = std::count_if(
      report.results.begin(), report.results.begin() + static_cast<std::ptrdiff_t>(result),
      [&](const workload_result& each) { return each.array == array; });
  return fmt::format("{}[{}]", array, before);
}

// The last job of each algorithm.
json paths_of(const run_report& report) {
  json paths = json::array();
  for (const algorithm_load& each : report.loads) {
    const workload_result& result = report.results[each.result];
    if (result.path && paths.size() < most_paths)
      paths.push_back(path_json(*result.path, row_of(report, each.result)));
  }
  return paths;
}

json latencies_of(simulation& sim) {
  json all = json::object();
  for (const auto& [what, histogram] : sim.service<latency_book>().all) {
    json& classes = all[what] = json::array();
    histogram.for_each([&](fs_t end, std::uint64_t count) {
      classes.push_back({seconds(end), count});
    });
  }
  return all;
}

json registers_of(simulation& sim) {
  json all = json::array();
  for (const register_file* each : sim.service<register_directory>().files)
    for (const register_cell& cell : each->cells())
      if (cell.hooks->coverage && cell.hooks->coverage->writes > 0)
        all.push_back({each->path() + "." + std::string(register_file::name_of(cell)),
                       cell.hooks->coverage->reads, cell.hooks->coverage->writes});
  return all;
}

}  // namespace

std::string report_record(simulation& sim, const run_report& report, const timeline& recorded) {
  const json rest = {{"paths", paths_of(report)},
                     {"latency", latencies_of(sim)},
                     {"registers", registers_of(sim)}};
  const auto end = static_cast<fs_t>(std::llround(report.simulated_s * 1e15));
  const std::string text = rest.dump();
  return std::string(record_begin) + recorded.json(end) + "," + text.substr(1) + "\n";
}

}  // namespace heddle
