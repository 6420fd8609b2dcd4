#include "models/sparse/matrix_market.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "models/sparse/matrix_market_header.hpp"
#include "models/sparse/text_lines.hpp"
#include "platform/text/mapped_file.hpp"

namespace heddle {
namespace {

struct market_entry {
  std::uint64_t row = 0, column = 0;  // from 0
  double value = 1;
};

double read_value(text_lines& lines) {
  const double value = lines.number("a value");
  if (!fits_single(value))
    lines.refuse(fmt::format(
        "value {} is infinite in single precision, in which sparse kernels compute", value));
  return value;
}

market_entry read_entry(text_lines& lines, const market_header& header) {
  market_entry entry;
  entry.row = lines.count("a row");
  if (entry.row < 1 || entry.row > header.rows)
    lines.refuse(fmt::format("row {} is outside of 1 to {}", entry.row, header.rows));
  entry.column = lines.count("a column");
  if (entry.column < 1 || entry.column > header.columns)
    lines.refuse(fmt::format("column {} is outside of 1 to {}", entry.column, header.columns));
  if (header.symmetry != market_symmetry::general && entry.column > entry.row)
    lines.refuse("a symmetric file holds the lower triangle alone, this is above the diagonal");
  if (header.symmetry == market_symmetry::skew && entry.column == entry.row)
    lines.refuse("the diagonal of a skew-symmetric matrix is 0 and not stored");
  if (header.has_values) entry.value = read_value(lines);
  lines.expect_end();
  --entry.row;
  --entry.column;
  return entry;
}

// Calls use(entry) for every entry of the file and for every one that symmetry adds. `lines` is a
// copy that stands behind the line of sizes.
template <typename Use>
void for_each_entry(text_lines lines, const market_header& header, Use use) {
  std::uint64_t found = 0;
  while (lines.next()) {
    if (lines.is_blank()) continue;
    if (found == header.entries)
      lines.refuse_line(fmt::format("more than the {} entries that are announced", header.entries));
    const market_entry entry = read_entry(lines, header);
    ++found;
    use(entry, lines);
    if (header.symmetry == market_symmetry::general || entry.row == entry.column) continue;
    const double mirrored = header.symmetry == market_symmetry::skew ? -entry.value : entry.value;
    use(market_entry{entry.column, entry.row, mirrored}, lines);
  }
  if (found < header.entries)
    lines.refuse_line(fmt::format("the file ends after {} of {} entries", found, header.entries));
}

class market_assembly final {
 public:
  market_assembly(const text_lines& entries, const market_header& header)
      : entries_(entries), header_(header) {}

  csr_matrix result() {
    matrix_.columns = header_.columns;
    count_rows();
    place_entries();
    for (std::uint64_t row = 0; row < header_.rows; ++row) sort_row(row);
    return std::move(matrix_);
  }

 private:
  void count_rows() {
    matrix_.row_begin.assign(header_.rows + 1, 0);
    for_each_entry(entries_, header_, [this](const market_entry& entry, const text_lines&) {
      ++matrix_.row_begin[entry.row + 1];
    });
    for (std::uint64_t row = 0; row < header_.rows; ++row)
      matrix_.row_begin[row + 1] += matrix_.row_begin[row];
  }

  // Uses the beginning of each row as a cursor, which then stands at the beginning of the next one.
  void place_entries() {
    matrix_.column.resize(matrix_.row_begin.back());
    if (header_.has_values) matrix_.value.resize(matrix_.column.size());
    for_each_entry(entries_, header_, [this](const market_entry& entry, const text_lines&) {
      const std::uint64_t at = matrix_.row_begin[entry.row]++;
      matrix_.column[at] = static_cast<column_index>(entry.column);
      if (header_.has_values) matrix_.value[at] = entry.value;
    });
    std::rotate(matrix_.row_begin.begin(), matrix_.row_begin.end() - 1, matrix_.row_begin.end());
    matrix_.row_begin.front() = 0;
  }

  void sort_row(std::uint64_t row) {
    const auto begin = matrix_.column.begin() + offset(matrix_.row_begin[row]);
    const auto end = matrix_.column.begin() + offset(matrix_.row_begin[row + 1]);
    if (!std::is_sorted(begin, end)) sort_entries(row);
    const auto twice = std::adjacent_find(begin, end);
    if (twice != end) refuse_second(row, *twice);
  }

  void sort_entries(std::uint64_t row) {
    const std::uint64_t begin = matrix_.row_begin[row], end = matrix_.row_begin[row + 1];
    if (!header_.has_values) {
      std::sort(matrix_.column.begin() + offset(begin), matrix_.column.begin() + offset(end));
      return;
    }
    pairs_.clear();
    for (std::uint64_t i = begin; i < end; ++i)
      pairs_.emplace_back(matrix_.column[i], matrix_.value[i]);
    std::sort(pairs_.begin(), pairs_.end());
    for (std::uint64_t i = begin; i < end; ++i)
      std::tie(matrix_.column[i], matrix_.value[i]) = pairs_[i - begin];
  }

  [[noreturn]] void refuse_second(std::uint64_t row, std::uint64_t column) const {
    bool is_second = false;
    for_each_entry(entries_, header_, [&](const market_entry& entry, const text_lines& lines) {
      if (entry.row != row || entry.column != column) return;
      if (is_second)
        lines.refuse_line(fmt::format("row {}, column {} is there twice", row + 1, column + 1));
      is_second = true;
    });
    throw std::logic_error("an entry that was there twice is gone");
  }

  static std::ptrdiff_t offset(std::uint64_t position) {
    return static_cast<std::ptrdiff_t>(position);
  }

  const text_lines& entries_;
  const market_header& header_;
  csr_matrix matrix_;
  std::vector<std::pair<column_index, double>> pairs_;
};

}  // namespace

csr_matrix parse_matrix_market(std::string_view text, const std::string& name,
                               std::uint64_t most_rows) {
  text_lines lines(text, name);
  const market_header header = read_market_header(lines, most_rows);
  return market_assembly(lines, header).result();
}

csr_matrix read_matrix_market(const std::string& path) {
  const mapped_file file(path);
  return parse_matrix_market(file.text(), path);
}

}  // namespace heddle
