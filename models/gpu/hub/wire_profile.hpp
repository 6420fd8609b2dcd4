// Bytes on wires over time, in so many bins of equal width. The width is not known before: when the
// last bin is full, neighbors become one, and each bin is twice as wide.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "platform/time/fs_time.hpp"

namespace heddle {

class wire_profile {
 public:
  static constexpr std::size_t bins = 256;
  static constexpr fs_t narrowest = 10 * fs_per_ns;

  // From that instant on.
  void begin(fs_t start) {
    start_ = start;
    width_ = narrowest;
    bytes_ = {};
  }
  void add(fs_t when, std::uint32_t bytes) {
    if (when < start_) return;
    while ((when - start_) / width_ >= static_cast<fs_t>(bins)) widen();
    bytes_[static_cast<std::size_t>((when - start_) / width_)] += bytes;
  }
  // In an interval; what of a bin lies in it counts as its share.
  double between(fs_t from, fs_t to) const {
    double sum = 0;
    for (std::size_t i = 0; i < bins; ++i) {
      const fs_t first = start_ + static_cast<fs_t>(i) * width_, last = first + width_;
      const fs_t begin = from > first ? from : first, end = to < last ? to : last;
      if (begin < end)
        sum += static_cast<double>(bytes_[i]) * static_cast<double>(end - begin) /
               static_cast<double>(width_);
    }
    return sum;
  }

 private:
  void widen() {
    for (std::size_t i = 0; i < bins / 2; ++i) bytes_[i] = bytes_[2 * i] + bytes_[2 * i + 1];
    for (std::size_t i = bins / 2; i < bins; ++i) bytes_[i] = 0;
    width_ *= 2;
  }

  fs_t start_ = 0, width_ = narrowest;
  std::array<std::uint64_t, bins> bytes_{};
};

}  // namespace heddle
