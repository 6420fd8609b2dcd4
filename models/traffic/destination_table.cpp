#include "models/traffic/destination_table.hpp"

#include <algorithm>

#include "models/traffic/traffic_file.hpp"
#include "platform/trace/glob.hpp"

namespace heddle {
namespace {

bool is_glob(const std::string& name) {
  return name.find_first_of("*?") != std::string::npos || name.find("..") != std::string::npos ||
         name.find(',') != std::string::npos;
}

}  // namespace

destination_table::destination_table(const std::string& file) : file_(file) {
  for (const csv_row& row : read_traffic_file(file, {"from", "to", "weight"})) {
    const std::string& from = row[0];
    const auto [rows, is_new] = named_.try_emplace(from);
    if (is_new) senders_.push_back({from, row.place()});
    if (is_glob(from))
      globs_.emplace_back(from, to_.size());
    else
      rows->second.push_back(to_.size());
    const bool has_weight = row.size() > 2;
    to_.push_back({row[1], has_weight ? number_in(row, 2, "weight", 1, largest_weight) : 1});
  }
}

terminal_selection destination_table::destinations_of(const std::string& terminal) const {
  std::vector<std::size_t> rows;
  if (const auto found = named_.find(terminal); found != named_.end()) rows = found->second;
  for (const auto& [glob, row] : globs_)
    if (glob_match(glob, terminal)) rows.push_back(row);
  std::sort(rows.begin(), rows.end());
  terminal_selection selected{{}, source_place{file_}};
  for (const std::size_t row : rows) selected.globs.push_back(to_[row]);
  return selected;
}

const destination_table& destination_tables::of(const std::string& file) {
  if (const auto known = known_.find(file); known != known_.end()) return known->second;
  return known_.try_emplace(file, file).first->second;
}

}  // namespace heddle
