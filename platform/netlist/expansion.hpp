// What all scopes of one netlist share while it expands: the plan that they fill, the files that
// they use, each read once, and the count of what they have done.
#pragma once

#include <map>
#include <string>

#include "platform/netlist/plan.hpp"
#include "platform/yaml/node.hpp"

namespace heddle {

class netlist_expansion {
 public:
  explicit netlist_expansion(netlist_plan& plan) : plan_(plan) {}

  netlist_plan& plan() { return plan_; }

  // All of these throw user_error at the place when the netlist grows beyond limits.hpp.
  void count_step(const source_place& place);
  void add(planned_unit added);  // also when there is a unit of that path
  void add(planned_link added);
  void add(const planned_bind& added);
  void add(const planned_range& added);

  struct used_file {
    std::string path;
    yaml_node root;
  };
  // The sub-netlist that a `use` names. Throws user_error at the node for a file that cannot be
  // read and in the file for one that is no YAML.
  const used_file& file(const yaml_node& use, const std::string& beside);

 private:
  netlist_plan& plan_;
  std::size_t steps_ = 0;
  std::map<std::pair<std::string, std::string>, used_file> files_;  // by name and folder
};

}  // namespace heddle
