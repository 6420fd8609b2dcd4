#include "models/workloads/inference/kernel_measurements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "platform/text/input_file.hpp"
#include "platform/text/number.hpp"
#include "platform/text/suggest.hpp"

namespace heddle {
namespace {

constexpr std::size_t columns = 6;
constexpr std::array<const char*, columns> headings = {"operator", "m", "n", "k", "dtype", "us"};

// Throws user_error where the row has more or fewer fields than the heading.
void expect_all_columns(const csv_row& row, const std::string& text) {
  if (row.size() > columns)
    throw user_error(row.place_of(columns),
                     fmt::format("more than the {} cells {}", columns, fmt::join(headings, ",")));
  if (row.size() < columns) {
    const source_place end{row.place().file, row.place().line, static_cast<int>(text.size()) + 1};
    throw user_error(end, fmt::format("expected {} here: a row has {}", headings[row.size()],
                                      fmt::join(headings, ",")));
  }
}

void expect_heading(const csv_row& row) {
  for (std::size_t i = 0; i < columns; ++i)
    if (row[i] != headings[i])
      throw user_error(row.place_of(i), fmt::format("expected the heading {}", headings[i]));
}

std::uint64_t size_in(const csv_row& row, std::size_t field) {
  const std::uint64_t size = row.parsed(field, parse_unsigned);
  if (size == 0) throw user_error(row.place_of(field), "a size is at least 1");
  return size;
}

fs_t time_in(const csv_row& row, std::size_t field) {
  const double us = row.parsed(field, parse_double);
  constexpr double most = 1e9;
  const double fs = us * static_cast<double>(fs_per_us);
  if (!(us <= most) || !(fs >= 1))
    throw user_error(row.place_of(field),
                     fmt::format("{}: a kernel takes from 1 fs to {:.0e} us", row[field], most));
  return static_cast<fs_t>(std::llround(fs));
}

const std::string& known_in(const csv_row& row, std::size_t field, const char* what,
                            const std::vector<std::string>& known) {
  const std::string& name = row[field];
  if (std::find(known.begin(), known.end(), name) != known.end()) return name;
  throw user_error(row.place_of(field),
                   fmt::format("unknown {} '{}'{}: known are {}", what, name,
                               did_you_mean(name, known), fmt::join(known, ", ")));
}

}  // namespace

kernel_measurements::kernel_measurements(const std::filesystem::path& path) {
  std::ifstream file = open_input_file(path.string());
  csv_format format;
  format.has_comments = format.trims_fields = true;
  csv_reader rows(file, path.string(), format);
  if (!rows.next())
    throw user_error({path.string(), 1, 1},
                     fmt::format("expected the heading {}", fmt::join(headings, ",")));
  expect_all_columns(rows.row(), rows.text());
  expect_heading(rows.row());
  while (rows.next()) {
    expect_all_columns(rows.row(), rows.text());
    take(rows.row());
  }
}

void kernel_measurements::take(const csv_row& row) {
  const weight_type type =
      known_in(row, 4, "dtype", {"fp16", "fp8"}) == "fp16" ? weight_type::fp16 : weight_type::fp8;
  const key of{known_in(row, 0, "operator", decoder_kernel_names()), size_in(row, 1),
               size_in(row, 2), size_in(row, 3), type};
  if (!times_.emplace(of, time_in(row, 5)).second)
    throw user_error(row.place_of(0), "this kernel has a time in a line before");
}

void kernel_measurements::apply(decoder_kernels& kernels) const {
  for (std::vector<decoder_kernel>& list : kernels)
    for (decoder_kernel& each : list)
      if (const auto found = times_.find({each.name, each.m, each.n, each.k, each.type});
          found != times_.end())
        each.descriptor.time = found->second;
}

}  // namespace heddle
