// The packet plane as a graph: who is an endpoint, which addresses it answers for, and through
// which port a unit reaches it. Filled while the netlist is connected, asked at end of elaboration.
//
// Limitations: routes are static shortest paths; among equals the lowest port index wins.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "transactors/packet/packet_port.hpp"

namespace heddle {

using endpoint_id = std::uint16_t;

struct address_window {
  std::uint64_t base = 0;
  std::uint64_t size = 0;
  endpoint_id endpoint = 0;
};

class fabric {
 public:
  // A unit at which packets start and end. Windows of different endpoints may not overlap
  // (user_error). A window of size 0 serves nobody: a pure initiator.
  endpoint_id add_endpoint(unit& owner, std::uint64_t base, std::uint64_t size);
  // A device inside switches: packets for it carry the in-network-computing flag. Devices with the
  // same window share it, one in each plane; a window of size 0 is nobody else's.
  endpoint_id add_inc_endpoint(unit& owner, std::uint64_t base, std::uint64_t size);
  void place(endpoint_id endpoint, unit& at);  // in this switch there is one
  void add_link(packet_port& a, packet_port& b);

  const std::vector<address_window>& windows() const { return windows_; }
  // nullptr where no endpoint answers.
  const address_window* find_window(std::uint64_t address) const;
  std::size_t endpoints() const { return endpoints_.size(); }
  bool is_inc(endpoint_id endpoint) const { return endpoints_[endpoint].is_inc; }
  // Whether packets for it end at this unit.
  bool is_at(endpoint_id endpoint, const unit& place) const;
  const std::vector<packet_port*>& ports() const { return ports_; }  // every bound port

  // Ports of `from` that lie on a shortest path to the endpoint, in index order; empty when it
  // cannot be reached. Paths never lead through a third endpoint.
  std::vector<packet_port*> ports_towards(const unit& from, endpoint_id to) const;

 private:
  struct endpoint_record {
    const unit* owner;                // for messages
    std::vector<const unit*> places;  // where packets for it end
    bool is_inc;
  };

  void add_window(const unit& owner, const address_window& window);
  bool forwards(const unit& u) const;

  std::vector<endpoint_record> endpoints_;
  std::vector<address_window> windows_;  // sorted by base
  std::vector<packet_port*> ports_;
};

}  // namespace heddle
