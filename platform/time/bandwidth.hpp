// A byte rate, and how long bytes take at it.
#pragma once

#include <cstdint>

#include "platform/time/fs_time.hpp"

namespace heddle {

class bandwidth {
 public:
  bandwidth() = default;
  explicit bandwidth(std::uint64_t bytes_per_second);

  std::uint64_t bytes_per_second() const { return bytes_per_second_; }

  // Time on the wire, rounded to the nearest femtosecond: one multiplication, because every packet
  // asks. The factor carries 32 fractional bits: 1 GiB is off by less than 1 fs.
  fs_t duration(std::uint64_t bytes) const {
    __extension__ using wide = unsigned __int128;
    return static_cast<fs_t>((static_cast<wide>(bytes) * fs_per_byte_q32_ + (1ULL << 31)) >> 32);
  }

 private:
  std::uint64_t bytes_per_second_ = 0;
  std::uint64_t fs_per_byte_q32_ = 0;
};

}  // namespace heddle
