// A terminal of synthetic traffic at a node of a mesh (models/traffic/flit_terminal.hpp). Patterns
// that follow from its coordinates know no other terminals; for the others, and for traces,
// terminals of the same mesh have names (mesh_terminals.hpp).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/mesh/traffic/mesh_terminals.hpp"
#include "models/traffic/flit_terminal.hpp"
#include "models/traffic/packet_destinations.hpp"
#include "platform/unit/registry.hpp"

namespace heddle {

struct mesh_traffic_parameters : traffic_schedule {
  parameter<std::uint64_t> x{*this, "x", 0, within(0, 255), "column", "a netlist says"};
  parameter<std::uint64_t> y{*this, "y", 0, within(0, 255), "row", "a netlist says"};
  parameter<std::uint64_t> width{*this,           "width", 8, within(1, 256), "columns of the mesh",
                                 "a netlist says"};
  parameter<std::uint64_t> height{*this,          "height",           8,
                                  within(1, 256), "rows of the mesh", "a netlist says"};
  choice_parameter pattern{*this, "pattern",
                           one_of("uniform", "transpose", "neighbor", "tornado", "bit_complement",
                                  "permutation", "hotspot", "table"),
                           "destinations, as a function of the node: any, itself included; (y, x); "
                           "one further in both dimensions; half way round; the opposite; one for "
                           "each, drawn by the seed; `hot` with `hot_share`, else any; what "
                           "`table` says",
                           "Dally and Towles 2004, 3.2"};
  terminals_parameter hot{*this, "hot", "`hotspot`: names or globs of terminals, with weights",
                          "a netlist says"};
  parameter<double> hot_share{*this,
                              "hot_share",
                              0.2,
                              within(0.0, 1.0),
                              "`hotspot`: share of the packets that goes to `hot`",
                              "Pfister and Norton 1985 use up to a third"};
  parameter<std::string> table{*this, "table", "",
                               "`table`: CSV file of `from,to,weight` with names or globs of "
                               "terminals; one that sends to nobody has no row",
                               "a netlist says"};
  parameter<std::string> trace{*this, "trace", "",
                               "CSV file of `time,from,to,packets` that says instead of `rate` and "
                               "`pattern` which packets are created",
                               "a netlist says"};
};

struct mesh_traffic_counters : arrival_counters {
  statistic hops{*this, "hops", quantity::count, "summed routers on the way of the measured ones"};
};

class mesh_traffic final : public flit_terminal, private traffic_source {
 public:
  using parameters = mesh_traffic_parameters;
  using counters = mesh_traffic_counters;
  static std::vector<port_description> port_descriptions();

  mesh_traffic(const unit_context& context, const parameters& p);

  const statistic_set* statistics() const override { return &counters_; }
  const mesh_traffic_counters& count() const { return counters_; }
  // Of the mesh that it counts with.
  mesh_terminals::mesh_sides sides() const { return {width_, height_}; }

 private:
  // What a terminal has that addresses others by their names.
  struct named_destinations {
    packet_destinations to;
    std::size_t entry;  // in the directory of terminals
  };

  void on_connected() override;
  place exchange_place() const override;
  std::vector<std::uint16_t> addressed() const override;
  mesh_position fixed_destination() const;
  cycle_t next_creation(random_stream& random) override;
  mesh_position next_destination(random_stream& random) override;
  void measured(const flit& tail, fs_t latency) override;
  std::string name_of(mesh_position address) const override;

  traffic_pattern pattern_;
  mesh_position here_;
  std::uint32_t width_, height_;
  std::unique_ptr<named_destinations> named_;  // nullptr: coordinates are enough
  mesh_traffic_counters counters_;
};

}  // namespace heddle
