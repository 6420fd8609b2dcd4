// Turns a plan into a system: units are built in the order of the netlist, then joined.
#pragma once

#include <memory>
#include <vector>

#include "platform/netlist/plan.hpp"

namespace heddle {

// Something that can be mapped: a bus of the layer above offers a port for each range.
class address_decoder {
 public:
  virtual port& add_range(std::uint64_t base, std::uint64_t size, bool is_absolute) = 0;
  virtual port& add_default_range() = 0;
  // The target port is what the range of that port leads to.
  virtual void connected(const port& range, const port& target) = 0;
  // All ranges of all decoders are connected. Throws user_error when an access through this one
  // would never arrive.
  virtual void check_range(const port& range) = 0;

 protected:
  ~address_decoder() = default;
};

// The built units. They stay until the process ends, as what the kernel holds does.
class built_system {
 public:
  built_system(const netlist_plan& plan, simulation& sim);  // throws user_error
  ~built_system();

 private:
  std::vector<std::unique_ptr<unit>> units_;
};

}  // namespace heddle
