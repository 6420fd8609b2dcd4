#include "platform/run/function_profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "platform/text/diagnostic.hpp"
#include "platform/text/quantity.hpp"
#include "platform/trace/glob.hpp"
#include "platform/trace/output_file.hpp"
#include "platform/unit/simulation.hpp"

namespace heddle {
namespace {

using json = nlohmann::ordered_json;

constexpr std::size_t most_shown = 12;

// Callers before what they call.
std::vector<function_row> sorted(std::vector<function_row> rows) {
  std::stable_sort(rows.begin(), rows.end(), [](const function_row& a, const function_row& b) {
    return a.total != b.total ? a.total > b.total : a.self > b.self;
  });
  return rows;
}

std::string time_or_dash(fs_t time) {
  return time == 0 ? "-" : format_duration(time);
}

std::string heading(bool has_cycles) {
  const std::string cycles =
      has_cycles ? fmt::format("{:>14}{:>14}{:>10}", "self cycles", "total cycles", "calls")
                 : fmt::format("{:>12}", "HAL calls");
  return fmt::format("{:>10}{:>9}{}{:>10}{:>12}{:>12}{:>12}  function\n", "self", "", cycles,
                     "accesses", "in them", "polling", "asleep");
}

std::string line_of(const function_row& row, fs_t all, bool has_cycles) {
  const double share =
      all == 0 ? 0 : 100 * static_cast<double>(row.self) / static_cast<double>(all);
  const std::string cycles =
      has_cycles ? fmt::format("{:>14}{:>14}{:>10}", row.self_cycles, row.total_cycles, row.calls)
                 : fmt::format("{:>12}", row.calls);
  return fmt::format("{:>10} {:>6.1f} %{}{:>10}{:>12}{:>12}{:>12}  {}\n", format_duration(row.self),
                     share, cycles, row.accesses, time_or_dash(row.access_time),
                     time_or_dash(row.poll_time), time_or_dash(row.sleep_time), row.name);
}

std::string table_of(const std::string& path, const std::vector<function_row>& rows,
                     bool has_cycles) {
  fs_t all = 0;
  for (const function_row& each : rows) all += each.self;
  std::string text =
      fmt::format("{}, {} in {} functions:\n", path, format_duration(all), rows.size()) +
      heading(has_cycles);
  for (std::size_t i = 0; i < std::min(rows.size(), most_shown); ++i)
    text += line_of(rows[i], all, has_cycles);
  if (rows.size() > most_shown)
    text += fmt::format("  and {} more in profile.json\n", rows.size() - most_shown);
  return text;
}

json as_json(const function_row& row, bool has_cycles) {
  json made = {{"name", row.name},
               {"calls", row.calls},
               {"self_s", seconds(row.self)},
               {"total_s", seconds(row.total)}};
  if (has_cycles) {
    made["self_cycles"] = row.self_cycles;
    made["total_cycles"] = row.total_cycles;
  }
  made["accesses"] = row.accesses;
  made["access_s"] = seconds(row.access_time);
  made["poll_s"] = seconds(row.poll_time);
  made["sleep_s"] = seconds(row.sleep_time);
  return made;
}

}  // namespace

bool profile_directory::wants(const std::string& path) const {
  return wanted && glob_match(*wanted, path);
}

void check_profile(simulation& sim) {
  const profile_directory& profiles = sim.service<profile_directory>();
  if (profiles.wanted && profiles.sources.empty())
    throw user_error("--profile: no core that runs firmware matches '" + *profiles.wanted + "'");
}

std::string write_profile(simulation& sim, const std::string& directory) {
  const profile_directory& profiles = sim.service<profile_directory>();
  json cores = json::object();
  std::string text;
  for (profile_source* each : profiles.sources) {
    const std::vector<function_row> rows = sorted(each->profile());
    text += table_of(each->profile_path(), rows, each->has_cycles());
    json functions = json::array();
    for (const function_row& row : rows) functions.push_back(as_json(row, each->has_cycles()));
    cores[each->profile_path()] = {{"functions", functions}};
  }
  output_file file(profile_in(directory));
  file.write(json{{"cores", cores}}.dump(1) + "\n");
  file.commit();
  return text;
}

}  // namespace heddle
