// A terminal of synthetic traffic at a node of a mesh (models/traffic/flit_terminal.hpp), with the
// patterns that follow from its coordinates.
#pragma once

#include <string>
#include <vector>

#include "models/traffic/flit_terminal.hpp"
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
                           one_of("uniform", "transpose", "neighbor", "tornado", "bit_complement"),
                           "destinations, as a function of the node: any, itself included; (y, x); "
                           "one further in both dimensions; half way round; the opposite",
                           "Dally and Towles 2004, 3.2"};
};

struct mesh_traffic_counters : arrival_counters {
  statistic hops{*this, "hops", quantity::count, "summed routers on the way of the measured ones"};
};

class mesh_traffic final : public flit_terminal {
 public:
  using parameters = mesh_traffic_parameters;
  using counters = mesh_traffic_counters;
  static std::vector<port_description> port_descriptions();

  mesh_traffic(const unit_context& context, const parameters& p);

  const statistic_set* statistics() const override { return &counters_; }
  const mesh_traffic_counters& count() const { return counters_; }

 private:
  enum class pattern : std::uint8_t { uniform, transpose, neighbor, tornado, bit_complement };

  void on_connected() override { start(here_); }
  mesh_position next_destination(random_stream& random) override;
  void measured(const flit& tail, fs_t latency) override;
  std::string name_of(mesh_position address) const override;

  pattern pattern_;
  mesh_position here_;
  std::uint32_t width_, height_;
  mesh_traffic_counters counters_;
};

}  // namespace heddle
