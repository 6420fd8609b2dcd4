// Files that say what terminals send: comma-separated values under a line with their names. Empty
// lines and those that begin with # count for nothing; commas inside brackets belong to a name, as
// in node[0,2].
#pragma once

#include <string>
#include <vector>

#include "platform/text/csv_reader.hpp"

namespace heddle {

// Each row has a field for each of `names`, of which the last may be missing in the whole file.
// Throws user_error.
std::vector<csv_row> read_traffic_file(const std::string& path,
                                       const std::vector<std::string>& names);
// A field that is a number. Throws user_error at the row's place.
std::uint64_t number_in(const csv_row& row, std::size_t field, const std::string& name,
                        std::uint64_t least, std::uint64_t most);

}  // namespace heddle
