// What one core of a netlist reaches by its bus, and where.
//
// Limitations: what lies behind the fabric (a `default` range to a packetizer or a mesh interface)
// has no addresses of its own here.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "platform/netlist/plan.hpp"

namespace heddle {

struct seen_range {
  std::uint64_t base = 0;  // address that the core uses
  std::uint64_t size = 0;  // bytes
  planned_end to;
  std::uint64_t offset = 0;  // taken off the core's addresses on their way there
  bool holds(std::uint64_t address) const { return address - base < size; }
};

struct core_view {
  const planned_unit* core = nullptr;
  std::vector<seen_range> ranges;  // by address
  std::vector<seen_range> rest;    // `default` ranges that lead to no bus, the nearest first

  // The range at an address, nullptr where there is none.
  const seen_range* find(std::uint64_t address) const;
  bool has_parameter(const std::string& name) const;
  // Value of a parameter of the core that holds an address; `fallback` where it has none.
  std::uint64_t address_parameter(const std::string& name, std::uint64_t fallback) const;
  std::uint64_t bytes_parameter(const std::string& name, std::uint64_t fallback) const;
};

// The address map of a plan by the unit that each part begins at, for the views of many cores. The
// plan must outlive it.
class plan_map {
 public:
  explicit plan_map(const netlist_plan& plan);
  const std::vector<const planned_range*>& ranges_of(const std::string& bus) const;
  const std::string& bus_of(const std::string& core) const;  // "" where it is bound to none

 private:
  std::unordered_map<std::string, std::vector<const planned_range*>> ranges_;
  std::unordered_map<std::string, std::string> buses_;
};

// Units that run firmware, in the order of the netlist.
std::vector<std::string> cores_of(const netlist_plan& plan);

core_view view_of(const plan_map& map, const planned_unit& core);
// core: path of the unit; "" for the first. Throws user_error.
core_view view_of(const netlist_plan& plan, const std::string& core);

}  // namespace heddle
