// Whatever the netlist, it is planned as far as that goes without a kernel, or refused with a
// place; and what the effective configuration says of a plan can be read again. The first byte
// chooses: a netlist that is made up from the rest, or the bytes as they come.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "platform/netlist/effective.hpp"
#include "platform/netlist/planner.hpp"
#include "platform/yaml/parse.hpp"
#include "tests/support/netlist_generator.hpp"
#include "tests/unit/netlist/toy_units.hpp"

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

// What generated netlists name most.
[[maybe_unused]] const bool has_types = [] {
  for (const char* name : {"switch", "packet_traffic", "bus", "memory", "packetizer"})
    heddle::registry::instance().add(heddle::toy_unit(
        name, {{"port[ports]", "wire", "of many"}, {"in", "pin", "one"}, {"out", "pin", "one"}}));
  return true;
}();

bool is_of(const heddle::planned_end& end, const heddle::netlist_plan& plan) {
  return end.owner != nullptr && plan.find_unit(end.unit()) == end.owner;
}

std::string netlist_of(const std::uint8_t* data, std::size_t size) {
  if (data[0] % 4 == 0) return {reinterpret_cast<const char*>(data) + 1, size - 1};
  return heddle::netlist_generator({data + 1, data + size}).netlist();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  try {
    const heddle::yaml_node root = heddle::parse_yaml_text(netlist_of(data, size), "fuzz.yaml");
    const heddle::netlist_plan plan = heddle::plan_netlist(root, "fuzz.yaml", {});
    for (const heddle::planned_link& each : plan.links)
      require(is_of(each.a, plan) && is_of(each.b, plan) && each.parameters);
    std::string effective;
    heddle::write_effective_configuration(plan,
                                          [&](const std::string& piece) { effective += piece; });
    heddle::parse_yaml_text(effective, "effective.yaml");
  } catch (const heddle::user_error& error) {
    require(!error.place().file.empty());
  }
  return 0;
}

// The kernel's library asks for it; nothing is simulated here.
int sc_main(int, char**) {
  return 0;
}
