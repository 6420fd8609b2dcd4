// Router of a 2D mesh with virtual channels (models/router/input_queued_router.hpp), dimension by
// dimension.
//
// For studies of the network itself; where collectives are, see collective_router.hpp. The two are
// apart because each follows its own source: this one arbitrates virtual channels, that one forks
// and merges flits and has none.
//
// Limitations: those of the input-queued router, so 12 virtual channels at most.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "models/mesh/mesh_ports.hpp"
#include "models/router/input_queued_router.hpp"
#include "platform/unit/registry.hpp"
#include "transactors/flit/flit_network.hpp"

namespace heddle {

struct mesh_router_parameters : parameter_set {
  parameter<std::uint64_t> x{*this, "x", 0, within(0, 255), "column", "a netlist says"};
  parameter<std::uint64_t> y{*this, "y", 0, within(0, 255), "row", "a netlist says"};
  parameter<duration> cycle{
      *this, "cycle", 1_ns, within(1_fs, 1_ms), "clock period", "collective NoC 4: 1 GHz"};
  parameter<std::uint64_t> pipeline{*this,
                                    "pipeline",
                                    4,
                                    within(4, 16),
                                    "cycles: one each of route computation, VC allocation and "
                                    "switch allocation, the rest is the crossbar",
                                    "one cycle a stage"};
  choice_parameter routing{*this, "routing", one_of("xy", "yx"), "the dimension that comes first",
                           "collective NoC 3.1: XY"};
};

struct mesh_place {
  mesh_position here;
  route_table routes;
};

class mesh_router final
    : public unit,
      private flit_router,
      private input_queued_router<mesh_router, mesh_directions, 64, 1, mesh_place> {
 public:
  static constexpr const char* type_name = "a mesh_router";
  using concurrent = void;  // members may be evaluated at the same time
  using parameters = mesh_router_parameters;
  using counters = input_queued_counters;
  static std::vector<port_description> port_descriptions();

  mesh_router(const unit_context& context, const parameters& p);

  using input_queued_router::count;
  using input_queued_router::evaluate;
  using input_queued_router::is_loaded;
  using input_queued_router::prefetch;
  using input_queued_router::prefetch_links;
  const statistic_set* statistics() const override { return &count(); }
  std::string waiting_for() const override { return waits(); }
  std::size_t bytes() const;  // of memory, ports and buffers included

 private:
  friend input_queued_router;

  const unit& as_unit() const override { return *this; }
  mesh_position position() const override { return place().here; }
  const flit_port& port_at(int index) const override { return ports_[index]; }
  int route(mesh_position destination) const override {
    return route_by(place().routes, place().here, destination);
  }
  order dimension_order() const override {
    return place().routes == x_first_table ? order::x_first : order::y_first;
  }
  int route_of(const flit& head, const flit_channel&) const {
    const int to = route(head.destination);
    return is_bound(to) && head.op == flit_op::unicast ? to : -1;
  }

  void on_connected() override;
  void reject(const flit& head);

  clock_member clock_;
  std::array<flit_port, mesh_directions> ports_;
};

}  // namespace heddle
