// How the message classes share the virtual channels of a link: requests have the lower half,
// responses the upper half, so neither waits for credits that the other holds. Packets of
// in-network computing have channels of their own (inc_vc_of).
//
// Limitations: where the number of channels is odd, the last one is of the responses, but no packet
// uses it.
#pragma once

#include <cstdint>

#include "transactors/packet/packet_kind.hpp"

namespace heddle {

class vc_partition {
 public:
  constexpr explicit vc_partition(int vcs) : of_class_(static_cast<std::uint8_t>(vcs / 2)) {}

  // Channels of each class.
  constexpr int of_class() const { return of_class_; }
  // The first channel of the kind's class.
  std::uint8_t first(packet_kind kind) const {
    return is_response(kind) ? of_class_ : std::uint8_t{0};
  }
  // Flows spread over the channels of their class. One flow keeps to one channel, because packets
  // in different channels overtake each other.
  std::uint8_t of_flow(packet_kind kind, unsigned flow) const {
    return static_cast<std::uint8_t>(first(kind) + flow % of_class_);
  }
  bool admits(packet_kind kind, int vc) const { return is_response(kind) == (vc >= of_class_); }

 private:
  std::uint8_t of_class_;
};

}  // namespace heddle
