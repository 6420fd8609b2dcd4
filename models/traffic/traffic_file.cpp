#include "models/traffic/traffic_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/algorithm/string/join.hpp>
#include <boost/algorithm/string/trim.hpp>

#include "platform/text/input_file.hpp"
#include "platform/text/number.hpp"

namespace heddle {
namespace {

bool is_heading(const std::vector<std::string>& fields, const std::vector<std::string>& names) {
  const std::size_t count = fields.size();
  return (count == names.size() || count + 1 == names.size()) &&
         std::equal(fields.begin(), fields.end(), names.begin());
}

}  // namespace

std::vector<csv_row> read_traffic_file(const std::string& path,
                                       const std::vector<std::string>& names) {
  std::ifstream file = open_input_file(path);
  csv_format format;
  format.has_comments = format.trims_fields = format.keeps_indices = true;
  csv_reader in(file, path, format);
  if (!in.next()) throw user_error(source_place{path}, "is empty");
  if (!is_heading(in.row().texts(), names))
    throw user_error(in.row().place(),
                     fmt::format("expected the names of the columns, {} ({} may be "
                                 "missing), not '{}'",
                                 boost::algorithm::join(names, ","), names.back(),
                                 boost::algorithm::trim_copy(in.text())));
  const std::size_t columns = in.row().size();
  std::vector<csv_row> rows;
  while (in.next()) {
    if (in.row().size() != columns)
      throw user_error(in.row().place(),
                       fmt::format("{} fields, but {} columns", in.row().size(), columns));
    rows.push_back(in.row());
  }
  return rows;
}

std::uint64_t number_in(const csv_row& row, std::size_t field, const std::string& name,
                        std::uint64_t least, std::uint64_t most) {
  try {
    const std::uint64_t value = parse_unsigned(row[field]);
    if (value >= least && value <= most) return value;
  } catch (const quantity_error&) {  // told below
  }
  throw user_error(row.place(),
                   fmt::format("{} is '{}', outside {} to {}", name, row[field], least, most));
}

}  // namespace heddle
