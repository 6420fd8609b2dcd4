// The packet plane as a whole: who is an endpoint, which addresses it answers for, which links
// there are, and the routes of every unit. Filled while units are built and joined; the first
// question about routes closes it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "platform/registers/network_registers.hpp"
#include "transactors/fabric/endpoint.hpp"
#include "transactors/fabric/unit_routes.hpp"
#include "transactors/packet/packet_port.hpp"

namespace heddle {

struct system_findings;
class packet_forwarder;
class routing_policy;
class topology;

using policy_maker = std::function<std::unique_ptr<routing_policy>(
    const topology& net, const std::vector<endpoint_record>& endpoints)>;

// How packets are routed, as a netlist says it.
struct routing_choice {
  policy_maker make_policy;  // empty for shortest paths
  spread_key spread = spread_key::destination;
  std::uint64_t interleave = 4096;
  bool is_checked = true;  // that all reach each other, without deadlock
};

class fabric {
 public:
  fabric();
  ~fabric();

  // A unit at which packets start and end. Windows of different endpoints may not overlap
  // (user_error). A window of size 0 serves nobody: a pure initiator.
  endpoint_id add_endpoint(unit& owner, std::uint64_t base, std::uint64_t size,
                           packet_order relied_on = packet_order::by_flow);
  // A terminal of synthetic traffic: it addresses its like alone, and sees to it itself that it
  // reaches them.
  endpoint_id add_terminal(unit& owner, packet_order relied_on);
  // A device inside switches: packets for it carry the in-network-computing flag. Devices with the
  // same window share it, one in each plane; a window of size 0 is nobody else's.
  endpoint_id add_inc_endpoint(unit& owner, std::uint64_t base, std::uint64_t size,
                               packet_order relied_on = packet_order::by_address);
  void settle(endpoint_id endpoint, unit& at);  // in this switch there is one
  void add_link(packet_port& a, packet_port& b);
  // A switch, so that a standstill can be explained; it must outlive the run.
  void add_forwarder(const packet_forwarder& added) { forwarders_.push_back(&added); }
  // Somebody sends packets, or trains of them, of that many wire bytes.
  void expect_packets_of(std::uint64_t bytes) { largest_ = std::max(largest_, bytes); }
  // Packets may be longer by a word that goes with the data, this many bytes (word_header.hpp).
  void expect_words_of(std::uint32_t bytes) { word_bytes_ = bytes; }
  std::uint32_t word_bytes() const { return word_bytes_; }
  void set_routing(routing_choice choice) { choice_ = std::move(choice); }

  // The endpoint has these registers, at addresses from `base` on.
  void add_registers(endpoint_id at, const register_file& registers, std::uint64_t base) {
    registers_.push_back({at, {&registers, base}});
  }
  struct endpoint_registers {
    endpoint_id at;
    network_register_file file;
  };
  const std::vector<endpoint_registers>& registers() const { return registers_; }

  const std::vector<address_window>& windows() const { return windows_; }  // sorted by base
  // nullptr where no endpoint answers.
  const address_window* find_window(std::uint64_t address) const;
  std::size_t endpoints() const { return endpoints_.size(); }
  const endpoint_record& endpoint(endpoint_id id) const { return endpoints_[id]; }
  bool is_inc(endpoint_id endpoint) const { return endpoints_[endpoint].is_inc; }
  // Whether packets for it end at this unit.
  bool is_at(endpoint_id endpoint, const unit& home) const;
  const std::vector<packet_port*>& ports() const { return ports_; }  // every bound port
  // The bound port with the smallest receive buffer; nullptr when there is no link.
  const packet_port* smallest_buffer() const { return smallest_buffer_; }

  // Finds the routes: from then on links and endpoints are fixed. Paths never lead through an
  // endpoint. Throws user_error for a routing that does not fit the graph.
  void close();
  unit_routes& routes(const unit& of);  // closes an open fabric
  // Phases of routes: virtual channels of each class that they tell apart. The fabric is closed.
  int phases() const { return book_.phases; }
  // A receive buffer that keeps the link busy all the time: bandwidth x round trip, and a packet.
  std::uint64_t covering_bytes(const packet_port& port) const;

 private:
  void report_findings();  // fabric_findings.cpp
  void state_covering_buffers() const;
  void warn_of_buffers(system_findings& told) const;
  void tell_open_ports(system_findings& told) const;
  std::vector<std::string> idle_links() const;
  std::vector<std::string> idle_paths() const;
  void add_window(const unit& owner, const address_window& window);

  std::vector<endpoint_record> endpoints_;
  std::unordered_set<const unit*> owners_;  // of endpoints that are no devices
  std::vector<address_window> windows_;
  std::vector<endpoint_registers> registers_;
  std::vector<packet_port*> ports_;
  const packet_port* smallest_buffer_ = nullptr;
  routing_choice choice_;
  std::vector<const packet_forwarder*> forwarders_;
  std::uint64_t largest_ = 0;  // of the packets that were announced; 0: nobody has
  std::uint32_t word_bytes_ = 0;

  std::unique_ptr<topology> topology_;
  route_book book_;
  std::unordered_map<const unit*, std::unique_ptr<unit_routes>> tables_;
};

}  // namespace heddle
