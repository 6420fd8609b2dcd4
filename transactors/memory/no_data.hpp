// What payloads point to that carry no data (`data: off`), one for the whole simulation: nobody
// reads or writes there. A service of the simulation.
#pragma once

#include <cstddef>
#include <vector>

namespace heddle {

class no_data {
 public:
  // Before the simulation starts: payloads will be this long. Invalidates `bytes`.
  void provide(std::size_t bytes) {
    if (bytes > bytes_.size()) bytes_.resize(bytes);
  }
  unsigned char* bytes() { return bytes_.data(); }

 private:
  std::vector<unsigned char> bytes_;
};

}  // namespace heddle
