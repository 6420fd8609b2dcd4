// One netlist file being expanded into a plan: the top level, or a sub-netlist at a path.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "platform/netlist/expansion.hpp"
#include "platform/netlist/topology_expansion.hpp"
#include "platform/yaml/endpoint.hpp"
#include "platform/yaml/mapping.hpp"

namespace heddle {

class netlist_scope {
 public:
  // `prefix` is "" or the path of the sub-netlist's instance; `given` are the params that its user
  // sets.
  netlist_scope(netlist_expansion& expansion, std::string prefix, std::string file,
                std::map<std::string, std::pair<expression_value, source_place>> given);

  void read_heading(yaml_mapping& top);  // heddle, name, meaning, params
  // units, links, binds, map, exports; `generated`: what stands before them, nullptr for nothing
  void read_body(yaml_mapping& top, const topology_expansion* generated = nullptr);

  const std::string& name() const { return name_; }
  const std::string& meaning() const { return meaning_; }
  const variables& variables_in_scope() const { return variables_; }

 private:
  using export_map = std::map<std::string, planned_end>;  // outer port name -> inner port

  std::string path_of(const std::string& local) const;
  void read_params(const yaml_node& node);
  void read_unit(const yaml_entry& entry);
  void add_unit(const std::string& local, const yaml_node& node, const variables& known);
  void add_typed(const std::string& path, yaml_mapping& unit, const yaml_node& type_name);
  void add_used(const std::string& path, yaml_mapping& unit, const yaml_node& file);
  void read_links(const yaml_node& node);
  void read_binds(const yaml_node& node);
  void add_link(const yaml_node& node, const yaml_node& parameters, const variables& known);
  void add_links(const topology_expansion& generated);
  // Reads the kind of link and its parameters, once both ends are known.
  void finish_link(planned_link& link, const yaml_node& parameters);
  void add_bind(const yaml_node& node, const variables& known);
  void read_map(const yaml_entry& entry);
  void add_range(const planned_unit& bus, const yaml_node& node, const variables& known);
  void read_exports(const yaml_node& node);
  planned_end resolve(const yaml_node& node, const variables& known) const;
  planned_end resolve(const endpoint_path& path, const source_place& place) const;
  planned_end resolve(const generated_end& end, const source_place& place) const;

  netlist_expansion& expansion_;
  netlist_plan& plan_;
  std::string prefix_, file_, name_, meaning_;
  std::map<std::string, std::pair<expression_value, source_place>> given_;
  variables variables_;
  std::map<std::string, export_map> exports_of_;  // by full path of a sub-netlist's instance
  export_map exports_;                            // of this scope itself

  // Of the link before: in a loop, most have the same parameters, and share what was read of them.
  struct link_parameters {
    const link_type* type = nullptr;
    yaml_node written;
    std::shared_ptr<const parameter_set> read;
  };
  link_parameters latest_link_;
};

}  // namespace heddle
