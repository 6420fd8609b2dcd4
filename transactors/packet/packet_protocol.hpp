// The packet plane's protocol over TLM-2.0 sockets. Non-blocking only:
//
//   forward  head    the first byte arrives `delay` from now; packet::head and ::tail hold absolute
//                    times. Ownership of the packet passes to the receiver.
//   backward credit  the receiver's buffer of packet::vc has packet::wire_bytes free again, `delay`
//                    from now at the receiver; the sender adds the way back. The packets of a train
//                    leave it one after the other, the first one beginning at packet::head. The
//                    packet is lent for the call.
//
// Every call returns TLM_ACCEPTED.
#pragma once

#include <tlm>

#include "transactors/packet/packet.hpp"

namespace heddle {

enum class packet_phase { head, credit };

struct packet_protocol {
  using tlm_payload_type = packet;
  using tlm_phase_type = packet_phase;
};

using packet_forward_interface = tlm::tlm_fw_transport_if<packet_protocol>;
using packet_backward_interface = tlm::tlm_bw_transport_if<packet_protocol>;
using packet_initiator_socket = tlm::tlm_initiator_socket<32, packet_protocol>;
using packet_target_socket = tlm::tlm_target_socket<32, packet_protocol>;

}  // namespace heddle
