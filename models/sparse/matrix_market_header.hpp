// What a Matrix Market file says before its entries: the banner, comments and sizes.
#pragma once

#include <cstdint>

#include "models/sparse/text_lines.hpp"

namespace heddle {

enum class market_symmetry { general, symmetric, skew };

struct market_header {
  bool has_values = true;  // not for a pattern
  market_symmetry symmetry = market_symmetry::general;
  std::uint64_t rows = 0, columns = 0;
  std::uint64_t entries = 0;  // lines of the file
};

// Leaves `lines` at the line of sizes. Throws user_error.
market_header read_market_header(text_lines& lines, std::uint64_t most_rows);

}  // namespace heddle
