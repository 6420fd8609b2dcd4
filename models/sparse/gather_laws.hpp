// What must hold of every gather, whatever the matrix: lengths on the wire, and times that no run
// may beat. Numbers are those of NetSparse where no other source is named.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle {

// Headers in bytes (6.1.1). The Ethernet to RDMA headers are counted, not modeled.
inline constexpr std::uint64_t gather_upper_header = 50;
inline constexpr std::uint64_t gather_concatenation_header = 14;
inline constexpr std::uint64_t gather_lone_header = 10;  // the same without its count
inline constexpr std::uint64_t gather_request_header = 18;

enum class gather_packet { read, response };

// Of a packet with that many property requests, each of them with a property behind it in a
// response. A lone request is one that no concatenator has seen: its packet holds no count.
std::uint64_t gather_packet_bytes(gather_packet type, std::uint64_t requests,
                                  std::uint64_t property_bytes);
std::uint64_t lone_packet_bytes(gather_packet type, std::uint64_t property_bytes);

// Requests that fit into a concatenated packet of at most `mtu` bytes; 0: not one.
std::uint64_t requests_in_mtu(gather_packet type, std::uint64_t mtu, std::uint64_t property_bytes);

// Packets and bytes of requests that share packets of at most `mtu` bytes, as many in each as fit.
// At least one fits.
struct shared_packets {
  std::uint64_t count = 0, bytes = 0;
};
shared_packets packets_shared_by(std::uint64_t requests, gather_packet type, std::uint64_t mtu,
                                 std::uint64_t property_bytes);

// Header bytes of plain software for a request and its response together: with them the shares of
// Table 3 follow for every K.
inline constexpr std::uint64_t software_header = 160;
// Headers among all bytes of plain software.
double software_header_share(std::uint64_t property_bytes);
// Payload among the bytes that a node receives if each packet holds `requests_a_packet` (derived
// from Table 7); 0: they are lone. A node that serves as many requests as it makes receives two
// for each property.
double goodput_of_received(std::uint64_t property_bytes, double requests_a_packet,
                           double requests_a_property = 2);
// The same for a node that serves as many as it makes, where packets hold as many of each kind as
// fit into `mtu` bytes.
double goodput_of_full(std::uint64_t property_bytes, std::uint64_t mtu);

// From a node to another and back over idle links and switches, packets of no length, in seconds.
double idle_round_trip(int links, double link_latency, int switches, double switch_latency);

// Bytes that a NIC holds beside its large caches (9.5): L1 and L2 of each pair of units, buffers
// and tables of each unit, and the concatenator.
struct nic_storage {
  std::uint64_t units = 32, l1 = 32 << 10, l2 = 128 << 10;
  std::uint64_t index_buffer = 4 << 10, property_buffer = 4 << 10;
  // An entry holds an index (8), an id (4) and an epoch (4).
  std::uint64_t pending_entries = 256, load_store_entries = 64, entry_bytes = 16;
  std::uint64_t concatenator = 512 << 10;
  std::uint64_t bytes() const;
};

// What one node has done in a run.
struct gather_load {
  std::uint64_t indices = 0;         // that its clients have scanned
  std::uint64_t requests = 0;        // issued to the network
  std::uint64_t received_bytes = 0;  // on the wire to the node, headers included
  std::uint64_t sent_bytes = 0;      // on the wire from it
  // s, of the longest path that one of its requests must have taken; 0: not known, which leaves
  // the shortest path to another node.
  double farthest = 0;
};

// What bounds a run from below; 0 where there is no such limit.
struct gather_machine {
  double link = 0;          // B/s, each direction
  double pcie = 0;          // B/s, each direction
  double pcie_latency = 0;  // s, one way
  double nic_clock = 0;     // Hz
  double round_trip = 0;    // s, of the network: the shortest to another node and back
  double held = 0;          // s, for which an entry of a pending table is taken at least
  double waits = 0;         // s, for which a request and its response wait for others in NICs
  std::uint64_t clients = 0, pending = 0, index_bytes = 0;

  // From a doorbell until the only request of a command is done, memories left out: doorbell,
  // indices there and back, request and response, the owner's memory there and back, and the write
  // with its acknowledgement.
  double path_over(double network) const { return 7 * pcie_latency + network + waits; }
  double shortest_path() const { return path_over(round_trip); }
};

// The largest of the times that no node may beat, in seconds, and what it comes from.
struct gather_bound {
  double seconds = 0;
  std::size_t node = 0;
  std::string reason;  // "received bytes"
};
gather_bound lower_bound_of(const std::vector<gather_load>& nodes, const gather_machine& machine);

}  // namespace heddle
