// Groups of ranks that do a collective each, at the same time. All have as many ranks, and a rank
// has a place in its group, from 0 on, which is what roots and chunks go by.
#pragma once

#include <cstdint>

namespace heddle {

// All ranks; ranks that follow each other; tiles in a row, or in a column, of a mesh.
enum class group_shape { all, blocks, rows, columns };

struct rank_groups {
  group_shape shape = group_shape::all;
  std::uint64_t count = 1;
  std::uint64_t size = 1;  // ranks of each

  std::uint64_t rank_of(std::uint64_t group, std::uint64_t place) const {
    return shape == group_shape::columns ? place * count + group : group * size + place;
  }
  std::uint64_t group_of(std::uint64_t rank) const {
    return shape == group_shape::columns ? rank % count : rank / size;
  }
  std::uint64_t place_of(std::uint64_t rank) const {
    return shape == group_shape::columns ? rank / count : rank % size;
  }
};

}  // namespace heddle
