// Binds two sockets of a netlist: directly, or through a protocol monitor when the run's settings
// ask for monitors.
#pragma once

#include "transactors/memory/memory_port.hpp"
#include "transactors/packet/packet_protocol.hpp"

namespace heddle {

class packet_port;

// The ports own the sockets; the sender's link parameters hold.
void bind_monitored(packet_initiator_socket& from, packet_target_socket& to,
                    const packet_port& sender, const packet_port& receiver);
void bind_monitored(memory_initiator_base& from, memory_target_base& to,
                    const memory_initiator_port& initiator, const memory_target_port& target);

}  // namespace heddle
