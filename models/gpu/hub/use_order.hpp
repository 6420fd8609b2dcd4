// Numbers from 0 on, some of which are in the order in which they were used last.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle {

class use_order {
 public:
  // Begins with the numbers below `numbers`, none of which is in the order.
  void clear(std::size_t numbers) {
    ring_.assign(numbers + 1, {});
    ring_.back().before = ring_.back().after = end();
  }
  bool holds(std::uint32_t number) const { return ring_[number].is_here; }
  std::uint32_t latest() const { return ring_[end()].after; }
  std::uint32_t earliest() const { return ring_[end()].before; }  // the least recently used

  // Makes the number the latest: insert() one that is not in the order yet, renew() one that is.
  void insert(std::uint32_t number) {
    link& ends = ring_[end()];
    ring_[number] = {end(), ends.after, true};
    ring_[ends.after].before = number;
    ends.after = number;
  }
  void renew(std::uint32_t number) {
    if (number == latest()) return;
    remove(number);
    insert(number);
  }
  void remove(std::uint32_t number) {
    link& gone = ring_[number];
    ring_[gone.before].after = gone.after;
    ring_[gone.after].before = gone.before;
    gone.is_here = false;
  }

 private:
  // A ring: behind its end, the number after the last one, comes what was used last.
  struct link {
    std::uint32_t before = 0, after = 0;
    bool is_here = false;
  };
  std::uint32_t end() const { return static_cast<std::uint32_t>(ring_.size()) - 1; }

  std::vector<link> ring_ = std::vector<link>(1);
};

}  // namespace heddle
