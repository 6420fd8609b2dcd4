// What full packets of a format weigh on the wires, for the bounds of collectives.
#pragma once

#include "platform/services/link_directory.hpp"
#include "transactors/packet/packet_format.hpp"

namespace heddle {

inline endpoint_wires wires_of_full_packets(const packet_format& format) {
  endpoint_wires wires;
  wires.data = static_cast<double>(format.wire_bytes(format.mtu, 1)) / format.mtu;
  wires.response = static_cast<double>(format.header) / format.mtu;
  return wires;
}

}  // namespace heddle
