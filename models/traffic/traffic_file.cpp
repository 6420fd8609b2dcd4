#include "models/traffic/traffic_file.hpp"

#include <fmt/format.h>

#include <boost/algorithm/string/join.hpp>
#include <boost/algorithm/string/trim.hpp>

#include "models/traffic/terminal_selection.hpp"
#include "platform/text/input_file.hpp"
#include "platform/text/number.hpp"

namespace heddle {
namespace {

std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields = split_at_commas(line);
  for (std::string& each : fields) boost::algorithm::trim(each);
  return fields;
}

bool is_head(const std::vector<std::string>& fields, const std::vector<std::string>& names) {
  const std::size_t count = fields.size();
  return (count == names.size() || count + 1 == names.size()) &&
         std::equal(fields.begin(), fields.end(), names.begin());
}

}  // namespace

std::vector<traffic_row> read_traffic_file(const std::string& path,
                                           const std::vector<std::string>& names) {
  std::ifstream file = open_input_file(path);
  std::vector<traffic_row> rows;
  source_place place{path, 0, 1};
  std::size_t columns = 0;
  for (std::string line; std::getline(file, line);) {
    ++place.line;
    boost::algorithm::trim(line);
    if (line.empty() || line.front() == '#') continue;
    std::vector<std::string> fields = fields_of(line);
    if (columns == 0) {
      if (!is_head(fields, names))
        throw user_error(place,
                         fmt::format("expected the names of the columns, {} ({} may be "
                                     "missing), not '{}'",
                                     boost::algorithm::join(names, ","), names.back(), line));
      columns = fields.size();
      continue;
    }
    if (fields.size() != columns)
      throw user_error(place, fmt::format("{} fields, but {} columns", fields.size(), columns));
    rows.push_back({std::move(fields), place});
  }
  if (columns == 0) throw user_error(source_place{path}, "is empty");
  return rows;
}

std::uint64_t number_in(const traffic_row& row, std::size_t field, const std::string& name,
                        std::uint64_t least, std::uint64_t most) {
  try {
    const std::uint64_t value = parse_unsigned(row.fields[field]);
    if (value >= least && value <= most) return value;
  } catch (const quantity_error&) {  // told below
  }
  throw user_error(
      row.place, fmt::format("{} is '{}', outside {} to {}", name, row.fields[field], least, most));
}

}  // namespace heddle
