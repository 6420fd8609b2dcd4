// Credits on their way back to a transmitter. Those of a train come back packet by packet, evenly
// from when its first byte leaves the receive buffer until its last one has.
#pragma once

#include <algorithm>
#include <cstdint>

#include "platform/time/fs_time.hpp"

namespace heddle {

struct credit_return {
  credit_return() : others_(0), spread_(0) {}
  // `span`: from the first byte of the train to the last one.
  credit_return(fs_t last, std::uint32_t all, std::uint32_t packets, fs_t span)
      : when(last),
        bytes(all),
        others_((packets - 1) & 0xfff),
        spread_(packets == 1 ? 0 : std::min(span / unit, most_units) & 0xfffff) {}

  bool is_spread() const { return spread_ != 0; }
  // What has come by `time`, in whole packets.
  std::uint32_t by(fs_t time) const {
    if (time >= when) return bytes;
    const fs_t span = spread_ * unit;
    if (time + span <= when) return 0;
    const fs_t packets = (time + span - when) * (others_ + 1) / span;
    return std::min(static_cast<std::uint32_t>(packets) * packet_bytes(), bytes);
  }
  // The first instant at which so many of the bytes have come.
  fs_t instant_of(std::uint32_t wanted) const {
    const fs_t packets = (wanted + packet_bytes() - 1) / packet_bytes();
    if (spread_ == 0 || packets > others_) return when;
    const fs_t span = spread_ * unit;
    return when - span + (span * packets + others_) / (others_ + 1);
  }
  fs_t first() const { return instant_of(1); }

  fs_t when = 0;  // of the last of them
  std::uint32_t bytes = 0;

 private:
  static constexpr fs_t unit = 64 * fs_per_ps;
  static constexpr fs_t most_units = (1 << 20) - 1;  // 67 us: what takes longer comes later

  std::uint32_t packet_bytes() const { return (bytes + others_) / (others_ + 1); }

  std::uint32_t others_ : 12;  // packets of the train besides the last
  std::uint32_t spread_ : 20;  // over so many units
};

static_assert(sizeof(credit_return) == 16, "four of them fill a cache line");

}  // namespace heddle
