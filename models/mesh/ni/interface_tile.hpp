// What the parts of a network interface share: which tile it is of, its clock and its counters.
#pragma once

#include "models/mesh/ni/mesh_map.hpp"
#include "models/mesh/ni/network_interface_parameters.hpp"
#include "platform/time/clock_domain.hpp"
#include "platform/unit/unit.hpp"
#include "transactors/flit/flit_payloads.hpp"

namespace heddle {

struct interface_tile {
  unit& owner;
  const mesh_map map;
  const mesh_position here;
  const cycle_t latency;        // between a socket and the links, each way
  const std::uint32_t longest;  // bytes of a burst
  const bool carries_data;
  const bool loops_back;  // the router brings the tile its copies of its own multicasts
  flit_payloads& payloads;
  network_interface_counters& counters;
  clock_member clock;

  bool is_memory() const { return !map.holds(here); }
  fs_t period() const { return clock.domain().period(); }
  cycle_t cycle_after(fs_t time) const {  // the first cycle that starts then or later
    return (time + period() - 1) / period();
  }
};

}  // namespace heddle
