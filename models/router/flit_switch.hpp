// Switch of the flit plane: the input-queued router (input_queued_router.hpp) with N ports. Routes
// are those of the plane (transactors/flit/flit_fabric.hpp): shortest ways to terminals, or
// dimension order over a grid of switches.
//
// Limitations: those of the input-queued router; up to 8 ports have 64 virtual channels together
// at most, more ports 16 each. All packets to a terminal leave a switch by one of the equal ways,
// but for the coin of a ring.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/router/input_queued_router.hpp"
#include "platform/random/random_stream.hpp"
#include "platform/unit/registry.hpp"
#include "transactors/flit/flit_fabric.hpp"

namespace heddle {

struct flit_switch_parameters : parameter_set {
  parameter<std::uint64_t> ports{*this, "ports", 8, within(2, 64), "flit ports", "a netlist says"};
  parameter<duration> cycle{*this, "cycle", 1_ns, within(1_fs, 1_ms), "clock period", "1 GHz"};
  parameter<std::uint64_t> pipeline{*this,
                                    "pipeline",
                                    4,
                                    within(4, 16),
                                    "cycles: one each of route computation, VC allocation and "
                                    "switch allocation, the rest is the crossbar",
                                    "one cycle a stage"};
};

class flit_switch : public unit {
 public:
  using parameters = flit_switch_parameters;
  using counters = input_queued_counters;
  static constexpr const char* type_name = "a flit_switch";
  static std::vector<port_description> port_descriptions();

  using unit::unit;
  virtual const input_queued_counters& count() const = 0;
  const statistic_set* statistics() const override { return &count(); }
};

// A switch with up to that many ports and, of all of them together, virtual channels.
template <int most_ports, int most_channels>
class flit_switch_of final : public flit_switch,
                             private input_queued_router<flit_switch_of<most_ports, most_channels>,
                                                         most_ports, most_channels, 2> {
 public:
  flit_switch_of(const unit_context& context, const parameters& p);

  using router = input_queued_router<flit_switch_of, most_ports, most_channels, 2>;
  using concurrent = void;  // members may be evaluated at the same time
  using router::evaluate;
  using router::is_loaded;
  using router::prefetch;
  using router::prefetch_links;
  const input_queued_counters& count() const override { return router::count(); }
  std::string waiting_for() const override { return router::waits(); }

 private:
  friend router;

  int route_of(const flit& head, const flit_channel& at) {
    const flit_way& way = routes_.ways[flit_fabric::terminal_at(head.destination)];
    if (way.output == flit_fabric::no_port || head.op != flit_op::unicast) return -1;
    if (way.dimension == flit_way::no_dimension) return way.output;
    return route_in_grid(way, at);
  }
  int route_in_grid(const flit_way& way, const flit_channel& at);

  void on_connected() override;
  void reject(const flit& head);

  flit_fabric::routes routes_;
  clock_member clock_;
  std::vector<std::unique_ptr<flit_port>> ports_;
  random_stream random_;
};

}  // namespace heddle
