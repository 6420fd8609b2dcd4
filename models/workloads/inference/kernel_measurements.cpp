#include "models/workloads/inference/kernel_measurements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "platform/text/input_file.hpp"
#include "platform/text/number.hpp"
#include "platform/text/suggest.hpp"

namespace heddle {
namespace {

constexpr std::size_t columns = 6;
constexpr std::array<const char*, columns> headings = {"operator", "m", "n", "k", "dtype", "us"};

struct csv_cell {
  std::string_view text;
  source_place place;
};

// Throws user_error where the row has more or fewer cells than the heading.
std::array<csv_cell, columns> cells_of(const std::string& file, int line, std::string_view row) {
  std::array<csv_cell, columns> cells;
  std::size_t begin = 0, found = 0;
  for (bool is_last = false; !is_last; ++found) {
    const std::size_t comma = row.find(',', begin);
    is_last = comma == std::string_view::npos;
    const std::size_t end = is_last ? row.size() : comma;
    const source_place place{file, line, static_cast<int>(begin) + 1};
    if (found == columns)
      throw user_error(place,
                       fmt::format("more than the {} cells {}", columns, fmt::join(headings, ",")));
    cells[found] = {trimmed(row.substr(begin, end - begin)), place};
    begin = end + 1;
  }
  if (found < columns)
    throw user_error(
        {file, line, static_cast<int>(row.size()) + 1},
        fmt::format("expected {} here: a row has {}", headings[found], fmt::join(headings, ",")));
  return cells;
}

std::uint64_t size_in(const csv_cell& cell) {
  try {
    const std::uint64_t size = parse_unsigned(cell.text);
    if (size > 0) return size;
  } catch (const quantity_error& error) {
    throw user_error(cell.place, error.what());
  }
  throw user_error(cell.place, "a size is at least 1");
}

fs_t time_in(const csv_cell& cell) {
  double us = 0;
  try {
    us = parse_double(cell.text);
  } catch (const quantity_error& error) {
    throw user_error(cell.place, error.what());
  }
  constexpr double most = 1e9;
  const double fs = us * static_cast<double>(fs_per_us);
  if (!(us <= most) || !(fs >= 1))
    throw user_error(cell.place,
                     fmt::format("{}: a kernel takes from 1 fs to {:.0e} us", cell.text, most));
  return static_cast<fs_t>(std::llround(fs));
}

std::string known_in(const csv_cell& cell, const char* what,
                     const std::vector<std::string>& known) {
  std::string name(cell.text);
  if (std::find(known.begin(), known.end(), name) != known.end()) return name;
  throw user_error(cell.place, fmt::format("unknown {} '{}'{}: known are {}", what, name,
                                           did_you_mean(name, known), fmt::join(known, ", ")));
}

}  // namespace

kernel_measurements::kernel_measurements(const std::filesystem::path& path) {
  std::ifstream file = open_input_file(path.string());
  bool has_heading = false;
  int line = 0;
  for (std::string row; std::getline(file, row);) {
    ++line;
    if (!row.empty() && row.back() == '\r') row.pop_back();
    const std::string_view text = trimmed(row);
    if (text.empty() || text.front() == '#') continue;
    if (has_heading) {
      read_row(path.string(), line, row);
      continue;
    }
    const auto cells = cells_of(path.string(), line, row);
    for (std::size_t i = 0; i < columns; ++i)
      if (cells[i].text != headings[i])
        throw user_error(cells[i].place, fmt::format("expected the heading {}", headings[i]));
    has_heading = true;
  }
  if (!has_heading)
    throw user_error({path.string(), 1, 1},
                     fmt::format("expected the heading {}", fmt::join(headings, ",")));
}

void kernel_measurements::read_row(const std::string& file, int line, const std::string& row) {
  const auto cells = cells_of(file, line, row);
  const weight_type type =
      known_in(cells[4], "dtype", {"fp16", "fp8"}) == "fp16" ? weight_type::fp16 : weight_type::fp8;
  const key of{known_in(cells[0], "operator", decoder_kernel_names()), size_in(cells[1]),
               size_in(cells[2]), size_in(cells[3]), type};
  if (!times_.emplace(of, time_in(cells[5])).second)
    throw user_error(cells[0].place, "this kernel has a time in a line before");
}

void kernel_measurements::apply(decoder_kernels& kernels) const {
  for (std::vector<decoder_kernel>& list : kernels)
    for (decoder_kernel& each : list)
      if (const auto found = times_.find({each.name, each.m, each.n, each.k, each.type});
          found != times_.end())
        each.descriptor.time = found->second;
}

}  // namespace heddle
