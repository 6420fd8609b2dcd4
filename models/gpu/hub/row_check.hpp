// What memory has of each row of tokens, counted apart from the token tracker: whoever reads a row
// asks here whether it may, so that a tracker which reports writes before memory has acknowledged
// them is found out.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "platform/time/fs_time.hpp"

namespace heddle {

class row_check {
 public:
  // Begins with so many rows, of which nothing is in memory.
  void clear(std::uint32_t rows) { rows_.assign(rows, {}); }
  // Bytes of that row, which memory acknowledges at `done`.
  void write(std::uint32_t row, std::uint32_t bytes, fs_t done) {
    rows_[row].bytes += bytes;
    rows_[row].done = std::max(rows_[row].done, done);
  }
  bool holds(std::uint32_t row, std::uint64_t bytes, fs_t now) const {
    return rows_[row].bytes == bytes && rows_[row].done <= now;
  }

 private:
  struct entry {
    std::uint64_t bytes = 0;
    fs_t done = 0;
  };
  std::vector<entry> rows_;
};

}  // namespace heddle
