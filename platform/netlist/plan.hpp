// A netlist after expansion: every unit, link, bind and address range by its full path, with typed
// parameters. Needs no kernel, so mistakes are found before anything is built.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "platform/unit/registry.hpp"
#include "platform/unit/simulation.hpp"
#include "platform/yaml/node.hpp"

namespace heddle {

struct planned_unit {
  std::string path;  // "gpu[0].dma"
  const unit_type* type = nullptr;
  std::unique_ptr<parameter_set> parameters;
  source_place place;
  std::size_t index = 0;  // in the plan
};

// nullptr where the unit has none of that name.
const parameter_base* find_parameter(const planned_unit& unit, const std::string& name);
// Where the parameter was given; the unit's place for a default.
source_place place_of(const std::string& parameter, const planned_unit& of);

// A port by the unit of the plan that has it: "gpu[0].ni", "port[2]".
struct planned_end {
  const planned_unit* owner = nullptr;
  shared_text port;

  const std::string& unit() const { return owner->path; }
  std::string text() const { return unit() + "." + port.str(); }
};

struct planned_link {
  planned_end a, b;
  const link_type* type = nullptr;
  std::shared_ptr<const parameter_set> parameters;  // links of a loop mostly share them
  source_place place;
};

struct planned_bind {
  planned_end from, to;
  source_place place;
};

struct planned_range {
  const planned_unit* bus = nullptr;
  planned_end to;
  std::uint64_t base = 0;
  std::uint64_t size = 0;  // bytes
  bool is_default = false;
  bool is_absolute = false;
  source_place place;
};

struct netlist_plan {
  std::string name;
  std::string meaning;
  std::string file;
  simulation_settings settings;
  bool watches_buffers = true;  // contracts see what engines own in memory (platform/buffers)
  std::vector<std::pair<std::string, std::string>> params;  // name, value, of the top level
  // Where the value of a setting or of a param was given, by key ("seed", "params.NAME"). Keys that
  // are not in it have kept their defaults.
  std::map<std::string, std::string> origins;
  std::deque<planned_unit> units;  // stay where they are: ends point to them
  std::deque<planned_link> links;
  std::vector<planned_bind> binds;
  std::vector<planned_range> ranges;
  std::optional<yaml_node> workload;  // variables already expanded
  std::optional<yaml_node> trace;
  std::map<std::string, yaml_node> sections;  // of registered keys (section_type), expanded

  // nullptr when the netlist has no such section.
  const yaml_node* find_section(const std::string& key) const;
  void add_unit(planned_unit added);
  // nullptr when there is none; of several the first.
  const planned_unit* find_unit(const std::string& path) const;

 private:
  std::unordered_map<std::string_view, const planned_unit*> unit_at_;  // by path
};

}  // namespace heddle
