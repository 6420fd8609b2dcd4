#include "platform/report/report_run.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "platform/text/diagnostic.hpp"

namespace heddle {
namespace {

using json = nlohmann::ordered_json;

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (file) text << file.rdbuf();
  if (!file)
    throw user_error("cannot read '" + path +
                     "': " + (errno != 0 ? std::strerror(errno) : "it is empty") +
                     "; a report needs the directory of a run");
  return text.str();
}

json json_of(const std::string& path) {
  json read = json::parse(text_of(path), nullptr, false);
  if (!read.is_object()) throw user_error("'" + path + "' is not what a run writes");
  return read;
}

std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> all;
  std::istringstream rest(line);
  for (std::string each; std::getline(rest, each, ',');) all.push_back(each);
  return all;
}

void check(const json& stats, const std::string& path) {
  for (const char* key : {"netlist", "collectives", "units", "simulated_s", "exit"})
    if (!stats.contains(key))
      throw user_error("'" + path + "' has no '" + key + "': it is not what a run writes");
}

}  // namespace

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

report_run read_report_run(const std::string& directory) {
  report_run run;
  run.directory = directory;
  const std::string base = directory + "/";
  run.stats = json_of(base + "stats.json");
  check(run.stats, base + "stats.json");
  if (std::filesystem::exists(base + "report.json")) run.record = json_of(base + "report.json");
  run.summary = text_of(base + "summary.txt");
  run.configuration = text_of(base + "config.yaml");
  std::istringstream lines(text_of(base + "links.csv"));
  std::string line;
  std::getline(lines, line);
  run.link_keys = cells(line);
  while (std::getline(lines, line)) {
    run.links.push_back(cells(line));
    if (run.links.back().size() != run.link_keys.size())
      throw user_error("'" + base + "links.csv' is not what a run writes: " + line);
  }
  return run;
}

}  // namespace heddle
