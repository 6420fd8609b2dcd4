// A train of packets moves as one object, so a receive buffer has to hold a whole one.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "platform/text/diagnostic.hpp"
#include "transactors/packet/packet_port.hpp"

namespace heddle {

// Throws user_error when the buffers of the link at `port` hold less than `bytes`, the largest
// train of `packets` packets that the unit called `sender` sends.
inline void check_train_fits(const std::string& sender, std::uint32_t packets, std::uint32_t bytes,
                             const packet_port& port) {
  if (port.buffer_bytes() >= bytes) return;
  throw user_error(fmt::format(
      "{} sends trains of {} packets ({} B) but the buffers of the link at {} hold {} B: shorten "
      "the train or enlarge the buffer",
      sender, packets, bytes, port.path(), port.buffer_bytes()));
}

}  // namespace heddle
