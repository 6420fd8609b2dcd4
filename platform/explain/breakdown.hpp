// Where the time of a collective went: every instant between its marks belongs to one category, so
// the parts add up to the whole to the femtosecond.
//
// Limitations: one path. Of several that are nearly as long it is the one that was the longest, by
// however little: a wire that is busy all but a thousandth of the time need not be all of it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "platform/explain/explanation.hpp"

namespace heddle {

struct path_span {
  category what = category::firmware;
  std::string where;
  fs_t begin = 0, length = 0;  // begin: since the start of the collective
};

// All that the path spent in one category at one place.
struct path_share {
  category what = category::firmware;
  std::string where;
  fs_t length = 0;
  std::uint64_t steps = 0;
};

struct breakdown {
  std::array<fs_t, category_count> parts{};
  std::vector<path_span> longest;  // of the path, longest first
  std::vector<path_share> shares;  // largest first; their lengths add up to the whole, too
  // The path in the order of time, without gaps. Of a path of more than most_steps steps, several
  // that follow each other are one, named after the longest of them.
  static constexpr std::size_t most_steps = 1000;
  std::vector<path_span> steps;

  fs_t of(category what) const { return parts[static_cast<std::size_t>(what)]; }
  fs_t total() const;
};

// Walks back from the last end mark to the first start mark.
breakdown break_down(const explanation& sites, const cause& end, fs_t first_start, fs_t last_end);

}  // namespace heddle
