// What packets are. The kinds of memory traffic and of synthetic traffic are known here; a protocol
// of its own adds its kinds, and says what links, monitors and waves must know of them:
//
//   const packet_kind gather_response = add_packet_kind({"gather_response", message::response});
#pragma once

#include <cstdint>
#include <string>

namespace heddle {

struct packet;

enum class packet_kind : std::uint8_t {
  read_request,
  read_response,
  write_request,
  write_response,
  atomic_request,
  atomic_response,
  none,  // of no packet
  // Synthetic traffic: a packet that nobody answers; one that its destination answers, and the
  // answer.
  traffic,
  traffic_request,
  traffic_response,
};

// The class of a message, which decides on the virtual channels that it may use (vc_partition.hpp);
// what has no class uses any.
enum class message : std::uint8_t { request, response, unclassified };

// Virtual channels: a link has up to `max_vcs` plain ones. Packets of in-network computing have
// queues of their own, one for each class of memory transaction (SCIN 3.2, 3.5).
inline constexpr int max_vcs = 16;
inline constexpr int inc_vcs = 4;
inline constexpr int all_vcs = max_vcs + inc_vcs;

struct packet_kind_sheet {
  const char* name = "";
  message of = message::unclassified;
  // packet::payload_bytes are on the wire; else they are none, or are asked for.
  bool has_payload = true;
  // A request to which exactly one response of that kind comes, with its tag, from its destination:
  // the monitors follow it. Other kinds are followed by nobody.
  bool is_answered = false;
  packet_kind answer = packet_kind::none;
  // The rule that such a packet breaks on any link, "" when it breaks none; nullptr: none is known.
  std::string (*broken_rule)(const packet& p) = nullptr;
};

// Called while the program starts, by who owns the kind; at most 64 in all.
packet_kind add_packet_kind(const packet_kind_sheet& sheet);
int packet_kind_count();
const packet_kind_sheet& sheet_of(packet_kind kind);
inline const char* name_of(packet_kind kind) {
  return sheet_of(kind).name;
}

// Sets of kinds, as words: hops ask.
struct packet_kind_sets {
  std::uint64_t responses;
  std::uint64_t without_payload;
};
extern packet_kind_sets kinds_of_packets;

inline bool is_response(packet_kind kind) {
  return (kinds_of_packets.responses >> static_cast<int>(kind) & 1) != 0;
}
inline bool has_payload(packet_kind kind) {
  return (kinds_of_packets.without_payload >> static_cast<int>(kind) & 1) == 0;
}

// The in-network-computing channel of a kind: requests without data, write data, read data, write
// responses. Atomics share the first one with reads.
inline std::uint8_t inc_vc_of(packet_kind kind) {
  if (kind == packet_kind::atomic_request) return max_vcs;
  if (is_response(kind)) return has_payload(kind) ? max_vcs + 2 : max_vcs + 3;
  return has_payload(kind) ? max_vcs + 1 : max_vcs;
}

// Packets that are delivered and done with: no response ever follows.
inline bool is_one_way(packet_kind kind) {
  return !is_response(kind) && !sheet_of(kind).is_answered;
}

// What answers a request.
inline packet_kind response_to(packet_kind request) {
  return sheet_of(request).answer;
}

}  // namespace heddle
