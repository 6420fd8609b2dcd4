// How long a packet of no length takes from hop to hop over idle links and switches.
#pragma once

#include "platform/time/fs_time.hpp"
#include "platform/unit/unit.hpp"
#include "transactors/packet/packet_port.hpp"

namespace heddle {

// Forwarding latency of a switch; 0: the unit is no switch.
fs_t forwarding_of(const unit& passed);

// From the transmitter until the unit at the far end has passed the packet on, or has it, where
// that is no switch. The port has a peer.
fs_t hop_time_of(const packet_port& out);

}  // namespace heddle
