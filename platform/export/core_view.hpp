// What one core of a netlist reaches by its bus, and where.
//
// Limitations: what lies behind the fabric (a `default` range to a packetizer or a mesh interface)
// has no addresses of its own here.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "platform/netlist/plan.hpp"

namespace heddle {

struct seen_range {
  std::uint64_t base = 0;  // address that the core uses
  std::uint64_t size = 0;  // bytes
  planned_end to;
  bool holds(std::uint64_t address) const { return address - base < size; }
};

struct core_view {
  const planned_unit* core = nullptr;
  std::vector<seen_range> ranges;  // by address

  // The range at an address, nullptr where there is none.
  const seen_range* find(std::uint64_t address) const;
  bool has_parameter(const std::string& name) const;
  // Value of a parameter of the core that holds an address; `fallback` where it has none.
  std::uint64_t address_parameter(const std::string& name, std::uint64_t fallback) const;
  std::uint64_t bytes_parameter(const std::string& name, std::uint64_t fallback) const;
};

// Units that run firmware, in the order of the netlist.
std::vector<std::string> cores_of(const netlist_plan& plan);

// core: path of the unit; "" for the first. Throws user_error.
core_view view_of(const netlist_plan& plan, const std::string& core);

}  // namespace heddle
