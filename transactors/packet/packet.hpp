// The unit of transfer of the packet plane. One packet object stands for `train` back-to-back
// packets of one route: its wire bytes are those of the whole train, its payload is contiguous.
// `head` and `tail` are kept apart so that cut-through, serialization and reduction see the right
// instants.
//
// Limitations: the packets of a train stay together; nothing else is sent between them.
#pragma once

#include <cstdint>

#include "platform/explain/running_cause.hpp"
#include "platform/time/fs_time.hpp"
#include "transactors/packet/packet_header.hpp"
#include "transactors/packet/packet_kind.hpp"
#include "transactors/packet/payload.hpp"

namespace heddle {

inline constexpr std::uint8_t no_reduction = 0xff;

// What every hop looks at comes first and fills one cache line: a packet that was under way for a
// microsecond is in memory again, and each line of it costs its hop a fetch.
struct alignas(64) packet {
  packet* next = nullptr;  // link of the one queue that holds it

  fs_t head = 0;  // instant when the first byte reaches the present port
  fs_t tail = 0;  // instant when the last byte has arrived there

  std::uint32_t wire_bytes = 0;     // headers and payloads of the whole train
  std::uint32_t payload_bytes = 0;  // carried, or asked for by a read request
  std::uint16_t source = 0;         // endpoint ids
  std::uint16_t destination = 0;
  std::uint16_t train = 1;
  packet_kind kind = packet_kind::none;
  std::uint8_t vc = 0;
  bool is_inc = false;        // from or for a device inside a switch: the 1-bit flag of SCIN 3.2
  bool is_error = false;      // response: the access failed at its target
  bool carries_data = true;   // false: payload_bytes stand for bytes that nobody moves
  bool is_explained = false;  // it has a cause: spares the hops of others a look at it
  // Of a read that a device in the network reduces: dtype and reduce_op; no_reduction otherwise.
  std::uint8_t reduced_type = no_reduction;
  std::uint8_t reduced_by = 0;  // of an atomic: its atomic_operation
  // Virtual channel of the receive buffer that holds it, from when a switch has chosen `vc` of the
  // next link until it leaves.
  std::uint8_t held_vc = 0;
  std::uint8_t emitted_by = 0;  // number of the stage in whose queue it waits
  std::uint16_t step = 0;       // of its sender (step_counter.hpp); 0: it counts none
  std::uint32_t tag = 0;        // of the requester; a response returns it
  std::uint64_t address = 0;

  payload_slice payload;
  fs_t created = 0;      // instant when its sender made it; 0: that does not say
  fs_t injected = 0;     // synthetic traffic: instant when it left the source queue
  cause why;             // it is where it is
  header_handle header;  // of its protocol, if that has one

  // Bytes from the start on a wire to the last byte. A train of acknowledgements stands for packets
  // of which each but the last was sent while the data came that it acknowledges: the last one does
  // not wait for them, and their share of the wire is taken behind it.
  std::uint32_t bytes_to_tail() const {
    const bool is_last = train > 1 && kind == packet_kind::write_response;
    return is_last ? wire_bytes / train : wire_bytes;
  }

  void prefetch() const {
    __builtin_prefetch(this);
    __builtin_prefetch(&payload);
  }
  void explain(const cause& reason) {
    is_explained = static_cast<bool>(reason);
    if (is_explained) why = reason;
  }
};

static_assert(sizeof(packet) == 128, "one line for the hops, one for the ends");

// Pooled: packets are taken and given back on the hot path.
packet* take_packet();  // fields have their defaults
void give_back(packet* used);
std::size_t packets_in_use();

}  // namespace heddle
