// What payloads point to that carry no data (`data: off`, or an access that stands for time alone),
// shared by the whole simulation: nobody reads or writes there. A service of the simulation.
#pragma once

#include <algorithm>
#include <cstddef>
#include <list>
#include <vector>

namespace heddle {

class no_data {
 public:
  // At least so many bytes. They stay where they are until the simulation ends.
  void* room_for(std::size_t bytes) {
    constexpr std::size_t least = 4096;
    const std::size_t present = blocks_.empty() ? 0 : blocks_.back().size();
    if (blocks_.empty() || bytes > present)
      blocks_.emplace_back(std::max({bytes, 2 * present, least}));
    return blocks_.back().data();
  }

 private:
  std::list<std::vector<std::byte>> blocks_;  // each twice as long as the one before, or longer
};

}  // namespace heddle
