// The `topology` key of a netlist, expanded: arrays of units as if they stood under `units`, links
// between their ports, and sections that the kind suggests.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "platform/netlist/topology.hpp"
#include "platform/yaml/expression.hpp"
#include "platform/yaml/mapping.hpp"

namespace heddle {

struct generated_end {
  std::string unit;  // "leaf"
  std::vector<std::int64_t> indices;
  std::string port;  // without its index
  std::int64_t port_index = 0;
};

struct generated_link {
  generated_end a, b;
  const yaml_node* parameters = nullptr;  // a mapping, expanded
};

class topology_expansion final : public topology_plan {
 public:
  // Throws user_error. Values of units keep their ${...}: an array expands them for each element.
  topology_expansion(const yaml_node& node, const variables& known);

  const source_place& place() const { return top_.node().place(); }
  const std::vector<yaml_entry>& units() const { return units_; }
  const std::vector<generated_link>& links() const { return links_; }
  const std::vector<yaml_entry>& sections() const { return sections_; }

  void set_default(const std::string& part, const std::string& key,
                   const std::string& value) override;
  void add_units(const std::string& part, const std::vector<std::uint64_t>& shape) override;
  void add_link(const std::string& part, const topology_end& a, const topology_end& b) override;
  const std::string& name_of(const std::string& part) const override {
    return unit_parts_.at(part).name;
  }
  void suggest_section(const std::string& key, const std::string& value) override;
  [[noreturn]] void refuse(const std::string& key, const std::string& message) const override;

 private:
  // What the netlist says of a part, then of its base, then what the kind set.
  struct part_values {
    topology_part description;
    std::string name;       // of its units
    std::string port_name;  // of their ports
    yaml_node values;       // a mapping, without the defaults
    std::vector<yaml_entry> defaults;
  };

  void read_parts(const std::vector<topology_part>& parts,
                  std::map<std::string, part_values>& into);
  void read_names(const char* key, std::string part_values::*name);
  yaml_node with_defaults(const part_values& part) const;
  generated_end resolve(const topology_end& end) const;

  yaml_mapping top_;
  const variables& known_;
  std::map<std::string, part_values> unit_parts_, link_parts_;
  std::map<std::string, yaml_node> link_values_;  // expanded, by part
  std::vector<yaml_entry> units_;
  std::vector<generated_link> links_;
  std::vector<yaml_entry> sections_;
};

}  // namespace heddle
