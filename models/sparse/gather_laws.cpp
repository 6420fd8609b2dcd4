#include "models/sparse/gather_laws.hpp"

#include <algorithm>
#include <utility>

namespace heddle {
namespace {

std::uint64_t bytes_of_request(gather_packet type, std::uint64_t property_bytes) {
  return gather_request_header + (type == gather_packet::response ? property_bytes : 0);
}

constexpr std::uint64_t shared_header = gather_upper_header + gather_concatenation_header;

}  // namespace

std::uint64_t gather_packet_bytes(gather_packet type, std::uint64_t requests,
                                  std::uint64_t property_bytes) {
  return shared_header + requests * bytes_of_request(type, property_bytes);
}

std::uint64_t lone_packet_bytes(gather_packet type, std::uint64_t property_bytes) {
  return gather_upper_header + gather_lone_header + bytes_of_request(type, property_bytes);
}

std::uint64_t requests_in_mtu(gather_packet type, std::uint64_t mtu, std::uint64_t property_bytes) {
  return mtu < shared_header ? 0 : (mtu - shared_header) / bytes_of_request(type, property_bytes);
}

shared_packets packets_shared_by(std::uint64_t requests, gather_packet type, std::uint64_t mtu,
                                 std::uint64_t property_bytes) {
  const std::uint64_t each = requests_in_mtu(type, mtu, property_bytes);
  const std::uint64_t count = (requests + each - 1) / each;
  return {count, count * shared_header + requests * bytes_of_request(type, property_bytes)};
}

double software_header_share(std::uint64_t property_bytes) {
  constexpr double headers = software_header;
  return headers / (headers + static_cast<double>(property_bytes));
}

double goodput_of_received(std::uint64_t property_bytes, double requests_a_packet,
                           double requests_a_property) {
  const auto payload = static_cast<double>(property_bytes);
  const double header =
      requests_a_packet == 0
          ? static_cast<double>(lone_packet_bytes(gather_packet::read, 0))
          : gather_request_header + static_cast<double>(shared_header) / requests_a_packet;
  return payload / (payload + requests_a_property * header);
}

double goodput_of_full(std::uint64_t property_bytes, std::uint64_t mtu) {
  const auto bytes_of = [&](gather_packet type) {
    const std::uint64_t requests =
        std::max<std::uint64_t>(1, requests_in_mtu(type, mtu, property_bytes));
    return static_cast<double>(gather_packet_bytes(type, requests, property_bytes)) /
           static_cast<double>(requests);
  };
  return static_cast<double>(property_bytes) /
         (bytes_of(gather_packet::read) + bytes_of(gather_packet::response));
}

double idle_round_trip(int links, double link_latency, int switches, double switch_latency) {
  return 2 * (links * link_latency + switches * switch_latency);
}

std::uint64_t nic_storage::bytes() const {
  const std::uint64_t tables = (pending_entries + load_store_entries) * entry_bytes;
  return units / 2 * (l1 + l2) + units * (index_buffer + property_buffer + tables) + concatenator;
}

gather_bound lower_bound_of(const std::vector<gather_load>& nodes, const gather_machine& machine) {
  gather_bound bound;
  const auto clients = static_cast<double>(machine.clients);
  for (std::size_t node = 0; node < nodes.size(); ++node) {
    const gather_load& load = nodes[node];
    const auto indices = static_cast<double>(load.indices);
    const double pcie_time =
        machine.pcie > 0 ? indices * static_cast<double>(machine.index_bytes) / machine.pcie : 0;
    const std::pair<double, const char*> times[] = {
        {static_cast<double>(load.received_bytes) / machine.link, "received bytes"},
        {static_cast<double>(load.sent_bytes) / machine.link, "sent bytes"},
        {indices / (clients * machine.nic_clock), "an index a cycle and client"},
        {pcie_time, "indices over PCIe"},
        {static_cast<double>(load.requests) * machine.held /
             (clients * static_cast<double>(machine.pending)),
         "requests pending for a round trip"},
        {load.requests > 0 ? std::max(machine.shortest_path(), load.farthest) : 0,
         "the path of one request"}};
    for (const auto& [seconds, reason] : times)
      if (seconds > bound.seconds) bound = {seconds, node, reason};
  }
  return bound;
}

}  // namespace heddle
