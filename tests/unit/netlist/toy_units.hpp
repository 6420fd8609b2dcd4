// Unit types for tests that only plan: "node" with one port, "hub" with many, joined by "wire"s.
#pragma once

#include <string>
#include <vector>

#include "platform/netlist/planner.hpp"
#include "platform/yaml/parse.hpp"

namespace heddle {

// A type that plans, with parameters `number`, `ports` and `label`.
unit_type toy_unit(const std::string& name, std::vector<port_description> ports);

// Plans a netlist whose heading is added: "units: {...}".
inline netlist_plan plan_text(const std::string& body,
                              const std::vector<netlist_override>& overrides = {},
                              const std::string& file = "f.yaml") {
  return plan_netlist(parse_yaml_text("heddle: 1\nname: toy\n" + body, "f.yaml"), file, overrides);
}

inline std::vector<std::string> unit_paths(const netlist_plan& plan) {
  std::vector<std::string> paths;
  for (const planned_unit& each : plan.units) paths.push_back(each.path);
  return paths;
}

inline std::vector<std::string> link_ends(const netlist_plan& plan) {
  std::vector<std::string> ends;
  for (const planned_link& each : plan.links) ends.push_back(each.a.text() + " - " + each.b.text());
  return ends;
}

// The value of a unit's parameter as text.
inline std::string value_of(const netlist_plan& plan, const std::string& path,
                            const std::string& name) {
  const planned_unit* unit = plan.find_unit(path);
  if (!unit) return "no unit " + path;
  for (const parameter_base* each : unit->parameters->all())
    if (each->name() == name) return each->text();
  return "no parameter " + name;
}

}  // namespace heddle
