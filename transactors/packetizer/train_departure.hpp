// A train on its way out of a queue, which its packets leave one after the other.
#pragma once

#include <cstdint>

#include "platform/time/fs_time.hpp"

namespace heddle {

struct train_departure {
  fs_t begin = 0, end = 0;  // of its first byte, of its last one
  std::uint32_t packets = 1;

  // Packets that start later than `now`.
  std::uint32_t left(fs_t now) const {
    if (packets == 1 || now >= end) return 0;
    return packets - 1 - static_cast<std::uint32_t>((now - begin) * packets / (end - begin));
  }
  // When no more than that many are left.
  fs_t instant_of(std::uint32_t wanted) const {
    return begin + ((end - begin) * (packets - 1 - wanted) + packets - 1) / packets;
  }
};

}  // namespace heddle
