// A run directory as a report reads it.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace heddle {

// A job of a workload: a row of "collectives", "gemms", ... in stats.json.
struct report_row {
  std::string path;  // "collectives[0]"
  const nlohmann::ordered_json* fields;
};

// A row of links.csv, by column.
struct report_link {
  std::vector<std::string> cells;
  std::vector<double> numbers;  // 0 where the column holds names
};

// Columns of links.csv hold the names of ports, or numbers from 0 on.
bool holds_names(const std::string& link_key);

struct report_run {
  std::string directory;
  nlohmann::ordered_json stats;
  nlohmann::ordered_json record;       // of report.json; null where nobody asked for a report
  std::vector<std::string> link_keys;  // the heading of links.csv
  std::vector<report_link> links;
  std::string summary, configuration;

  std::vector<report_row> rows() const;    // in the order of stats.json
  std::optional<report_row> last() const;  // the row that ended last
};

// Paths of the files that any run may write into its directory. They need not be there.
std::vector<std::string> result_files(const std::string& directory);

// Throws user_error where a file is missing or is none that a run wrote; for links.csv it names the
// line and the column. `needed` ends the message of a file that is not there.
report_run read_report_run(const std::string& directory,
                           const std::string& needed = "a report needs the directory of a run");

}  // namespace heddle
