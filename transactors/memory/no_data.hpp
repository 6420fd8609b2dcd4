// What payloads point to that carry no data (`data: off`), one for the whole simulation: nobody
// reads or writes there. A service of the simulation.
#pragma once

#include <cstddef>
#include <list>
#include <vector>

namespace heddle {

class no_data {
 public:
  // Payloads will be this long. What was given out before stays.
  void provide(std::size_t bytes) {
    if (blocks_.empty() || bytes > blocks_.back().size()) blocks_.emplace_back(bytes);
  }
  unsigned char* bytes() { return blocks_.back().data(); }

 private:
  std::list<std::vector<unsigned char>> blocks_;  // each longer than the one before
};

}  // namespace heddle
