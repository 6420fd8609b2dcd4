// Whatever the bytes and the format are, the rows of a table follow each other, a field stands at
// the place that it is said to have, and plain fields with commas between them are the row again.
#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>

#include "platform/text/csv_reader.hpp"

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

void check_places(const heddle::csv_row& row) {
  int column = 1;
  for (std::size_t i = 0; i < row.size(); ++i) {
    require(row.place_of(i).line == row.place().line);
    require(row.place_of(i).column == column);
    column += static_cast<int>(row[i].size()) + 1;
  }
}

void read(const std::string& text, heddle::csv_format format, bool is_plain) {
  std::istringstream in(text);
  heddle::csv_reader rows(in, "input", format);
  for (int line = 0; rows.next();) {
    require(rows.row().size() > 0);
    require(rows.row().place().line > line);
    line = rows.row().place().line;
    if (!is_plain) continue;
    require(fmt::format("{}", fmt::join(rows.row().texts(), ",")) == rows.text());
    check_places(rows.row());
  }
}

}  // namespace

// The first byte chooses the format.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  heddle::csv_format format;
  format.has_comments = (data[0] & 1) != 0;
  format.trims_fields = (data[0] & 2) != 0;
  format.keeps_indices = (data[0] & 4) != 0;
  format.has_quotes = (data[0] & 8) != 0;
  const bool is_plain = !format.trims_fields && !format.has_quotes;
  read(std::string(reinterpret_cast<const char*>(data) + 1, size - 1), format, is_plain);
  return 0;
}
