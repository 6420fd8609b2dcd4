#include "platform/report/report_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "platform/text/csv_reader.hpp"
#include "platform/text/diagnostic.hpp"
#include "platform/text/input_file.hpp"
#include "platform/text/number.hpp"
#include "platform/text/quote.hpp"

namespace heddle {
namespace {

using json = nlohmann::ordered_json;

// `needed` says what the command takes, where the file is not there.
std::string text_of(const std::string& path, const std::string& needed) {
  try {
    std::ifstream file = open_input_file(path);
    std::string text{std::istreambuf_iterator<char>(file), {}};
    if (text.empty()) throw user_error(path + ": the file is empty");
    return text;
  } catch (const user_error& error) {
    throw user_error(std::string(error.what()) + "; " + needed);
  }
}

json json_of(const std::string& path, const std::string& needed) {
  json read = json::parse(text_of(path, needed), nullptr, false);
  if (!read.is_object()) throw user_error("'" + path + "' is not what a run writes");
  return read;
}

void check(const json& stats, const std::string& path) {
  for (const char* key : {"netlist", "collectives", "units", "simulated_s", "exit"})
    if (!stats.contains(key))
      throw user_error("'" + path + "' has no '" + key + "': it is not what a run writes");
}

// The largest number that a report can format: counts have 63 bits, and so have times in
// femtoseconds.
double largest_of(const std::string& link_key) {
  constexpr double largest = 9.2e18, fs_per_s = 1e15;
  const bool is_time = link_key == "latency_s" || link_key == "busy_s";
  return is_time ? largest / fs_per_s : largest;
}

double number_of(const std::string& cell, const std::string& link_key) {
  const double number = parse_double(cell);
  if (number < 0) throw quantity_error("must not be negative, got " + heddle::quoted(cell));
  const double largest = largest_of(link_key);
  if (number > largest)
    throw quantity_error(
        fmt::format("must not exceed {:g}, got {}", largest, heddle::quoted(cell)));
  return number;
}

report_link link_of(const csv_row& row, const std::vector<std::string>& keys) {
  row.expect_size(keys.size());
  report_link link{row.texts(), std::vector<double>(keys.size())};
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (holds_names(keys[i])) continue;
    link.numbers[i] = row.parsed(
        i, [&](const std::string& cell) { return number_of(cell, keys[i]); }, keys[i]);
  }
  return link;
}

// No field is quoted: names of ports hold no comma.
void read_links(report_run& run, const std::string& path, const std::string& needed) {
  std::istringstream text(text_of(path, needed));
  csv_reader rows(text, path);
  rows.next();
  run.link_keys = rows.row().texts();
  for (const char* key : {"from", "to"})
    if (std::count(run.link_keys.begin(), run.link_keys.end(), key) == 0)
      throw user_error({path, 1, 1}, fmt::format("the heading names no column '{}'", key));
  while (rows.next()) run.links.push_back(link_of(rows.row(), run.link_keys));
}

}  // namespace

bool holds_names(const std::string& link_key) {
  return link_key == "from" || link_key == "to";
}

std::vector<report_row> report_run::rows() const {
  std::vector<report_row> all;
  for (const auto& [array, rows] : stats.items()) {
    if (!rows.is_array()) continue;
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (rows[i].is_object() && rows[i].contains("time_s") && rows[i].contains("end_s"))
        all.push_back({fmt::format("{}[{}]", array, i), &rows[i]});
  }
  return all;
}

std::optional<report_row> report_run::last() const {
  std::optional<report_row> found;
  for (const report_row& each : rows())
    if (!found || (*each.fields)["end_s"] >= (*found->fields)["end_s"]) found = each;
  return found;
}

std::vector<std::string> result_files(const std::string& directory) {
  std::vector<std::string> files;
  for (const char* each :
       {"stats.json", "links.csv", "config.yaml", "summary.txt", "report.json", "profile.json"})
    files.push_back(directory + "/" + each);
  return files;
}

report_run read_report_run(const std::string& directory, const std::string& needed) {
  report_run run;
  run.directory = directory;
  const std::string base = directory + "/";
  run.stats = json_of(base + "stats.json", needed);
  check(run.stats, base + "stats.json");
  if (std::filesystem::exists(base + "report.json"))
    run.record = json_of(base + "report.json", needed);
  run.summary = text_of(base + "summary.txt", needed);
  run.configuration = text_of(base + "config.yaml", needed);
  read_links(run, base + "links.csv", needed);
  return run;
}

}  // namespace heddle
