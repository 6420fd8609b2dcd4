// Bytes on wires over time, in so many bins of equal width, a power of two. The width is not known
// before: when the last bin is full, neighbors become one, and each bin is twice as wide.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "platform/time/fs_time.hpp"

namespace heddle {

class wire_profile {
 public:
  static constexpr std::size_t bins = 256;
  static constexpr unsigned narrowest = 23;  // 2^23 fs are 8.4 ns

  // From that instant on.
  void begin(fs_t start) {
    start_ = start;
    width_bits_ = narrowest;
    bytes_ = {};
  }
  void add(fs_t when, std::uint32_t bytes) {
    if (when < start_) return;
    while ((when - start_) >> width_bits_ >= bins) widen();
    bytes_[static_cast<std::size_t>((when - start_) >> width_bits_)] += bytes;
  }
  // In an interval; what of a bin lies in it counts as its share.
  double between(fs_t from, fs_t to) const {
    const fs_t width = fs_t{1} << width_bits_;
    double sum = 0;
    for (std::size_t i = 0; i < bins; ++i) {
      const fs_t first = start_ + static_cast<fs_t>(i) * width, last = first + width;
      const fs_t begin = from > first ? from : first, end = to < last ? to : last;
      if (begin < end)
        sum += static_cast<double>(bytes_[i]) * static_cast<double>(end - begin) /
               static_cast<double>(width);
    }
    return sum;
  }

 private:
  void widen() {
    for (std::size_t i = 0; i < bins / 2; ++i) bytes_[i] = bytes_[2 * i] + bytes_[2 * i + 1];
    for (std::size_t i = bins / 2; i < bins; ++i) bytes_[i] = 0;
    ++width_bits_;
  }

  fs_t start_ = 0;
  unsigned width_bits_ = narrowest;  // a shift finds the bin of a packet
  std::array<std::uint64_t, bins> bytes_{};
};

}  // namespace heddle
