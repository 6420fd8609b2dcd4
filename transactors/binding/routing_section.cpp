// The section `routing` of a netlist: {policy: ..., spread: ..., and the policy's own keys}.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "platform/netlist/section.hpp"
#include "platform/unit/simulation.hpp"
#include "transactors/fabric/fabric.hpp"
#include "transactors/fabric/routing/policies.hpp"
#include "transactors/flit/flit_fabric.hpp"

namespace heddle {
namespace {

spread_key read_key(const yaml_node& node) {
  std::vector<std::string> names;
  for (int key = 0; key <= static_cast<int>(spread_key::adaptive); ++key)
    names.emplace_back(name_of(static_cast<spread_key>(key)));
  const std::string name = as_choice(node, "value of `spread`", names);
  const auto found = std::find(names.begin(), names.end(), name);
  return static_cast<spread_key>(found - names.begin());
}

// A key that only other policies have is not unknown, but says nothing about the chosen one.
void refuse_keys_of_others(const yaml_node& section, const std::string& chosen,
                           const std::vector<std::string>& policies) {
  for (const yaml_entry& entry : section.entries()) {
    std::vector<std::string> owners;
    for (const policy_type& each : policy_types())
      if (std::count(policies.begin(), policies.end(), each.name) > 0 &&
          std::count(each.keys.begin(), each.keys.end(), entry.key) > 0)
        owners.push_back(each.name);
    if (owners.empty() || std::count(owners.begin(), owners.end(), chosen) > 0) continue;
    throw user_error(entry.key_place,
                     fmt::format("'{}' belongs to the routing policy {}, not to {}", entry.key,
                                 fmt::join(owners, " or "), chosen));
  }
}

routing_choice read_routing(const yaml_node& node) {
  routing_choice choice;
  yaml_mapping section(node, "routing");
  std::vector<std::string> names;
  for (const policy_type& each : policy_types()) names.push_back(each.name);
  const auto policy = section.optional("policy");
  const std::string name = policy ? as_choice(*policy, "routing policy", names) : names.front();
  refuse_keys_of_others(node, name, names);
  for (const policy_type& each : policy_types())
    if (each.name == name) choice.make_policy = each.read(section);
  if (const auto key = section.optional("spread")) choice.spread = read_key(*key);
  if (const auto bytes = section.optional("interleave")) {
    choice.interleave = as_bytes(*bytes);
    if (choice.interleave == 0) throw user_error(bytes->place(), "a block has at least one byte");
  }
  if (const auto check = section.optional("check"))
    choice.is_checked = as_choice(*check, "check", {"on", "off"}) == "on";
  section.finish();
  return choice;
}

// A policy would choose nothing where there are neither packets nor switches of flits.
[[noreturn]] void refuse_routing(const yaml_node& node) {
  const bool has_keys = node.is_mapping() && !node.entries().empty();
  throw user_error(has_keys ? node.entries().front().value.place() : node.place(),
                   "`routing` is about packets and switches of flits, and this system has neither "
                   "(routers of a mesh have a parameter `routing`)");
}

// Where switches of flits are the only ones.
void read_flit_routing(const yaml_node& node, flit_fabric& flits) {
  yaml_mapping section(node, "routing");
  const std::vector<std::string> names = {"shortest", "dimension_order"};
  const auto policy = section.optional("policy");
  const std::string name =
      policy ? as_choice(*policy, "routing policy of switches of flits", names) : names.front();
  refuse_keys_of_others(node, name, names);
  if (name == "dimension_order") flits.set_grid(read_grid(section));
  section.finish();
}

[[maybe_unused]] const bool is_registered = [] {
  register_section(section_type{"routing", "how packets find their way through switches",
                                [](const yaml_node* section, simulation& sim) {
                                  fabric& net = sim.service<fabric>();
                                  auto& flits = sim.service<flit_fabric>();
                                  const bool has_packets = !net.ports().empty();
                                  if (section && has_packets)
                                    net.set_routing(read_routing(*section));
                                  else if (section && flits.has_switches())
                                    read_flit_routing(*section, flits);
                                  else if (section)
                                    refuse_routing(*section);
                                  net.close();
                                },
                                "policy"});
  return true;
}();

}  // namespace
}  // namespace heddle
