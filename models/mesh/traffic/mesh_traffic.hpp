// A terminal of synthetic traffic on a mesh: injects packets flit by flit and takes those that
// arrive. It measures latency against offered load, and accepted load.
//
//   latency          from the creation of a packet to the arrival of its tail flit
//   network latency  from its head leaving the source queue to the arrival of its tail flit
//
// Both count packets created in the window that starts after `warmup` and lasts `measure`. Creation
// goes on for `cooldown` after the window, so that the last measured packets meet the same load.
// The VC of a packet is the next in turn with a credit when its head leaves.
//
// Limitations: an arriving flit is taken at once; rates are those of a Bernoulli process; latencies
// above 2^31 cycles are not measured.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "models/traffic/bernoulli_process.hpp"
#include "models/traffic/traffic_data_sheet.hpp"
#include "platform/unit/registry.hpp"
#include "transactors/flit/flit_port.hpp"

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
  statistic misdelivered{*this, "misdelivered", quantity::count, "flits for another node"};
};

class mesh_traffic final : public unit {
 public:
  using parameters = mesh_traffic_parameters;
  using counters = mesh_traffic_counters;
  static std::vector<port_description> port_descriptions();

  mesh_traffic(const unit_context& context, const parameters& p);

  void evaluate(cycle_t now);  // one clock cycle
  const statistic_set* statistics() const override { return &counters_; }
  const mesh_traffic_counters& count() const { return counters_; }
  std::string waiting_for() const override;

 private:
  enum class pattern : std::uint8_t { uniform, transpose, neighbor, tornado, bit_complement };

  void on_connected() override;
  void plan_next_packet();
  mesh_position next_destination();
  void inject(cycle_t now);
  bool choose_vc(cycle_t now);
  void receive(const flit& arrived, cycle_t now);
  void record(const flit& tail, cycle_t created, cycle_t now);
  bool is_in_window(cycle_t cycle) const { return cycle >= window_start_ && cycle < window_end_; }

  pattern pattern_;
  mesh_position here_;
  std::uint32_t width_, height_;
  std::uint32_t packet_flits_;
  clock_member clock_;
  random_stream random_;
  bernoulli_process creation_;
  cycle_t window_start_, window_end_, last_creation_;

  static constexpr cycle_t never = bernoulli_process::never;
  cycle_t created_ = never;  // of the packet in turn
  flit next_;
  std::uint32_t flits_left_ = 0;

  arrival_wheel arrivals_;
  flit_port port_;
  mesh_traffic_counters counters_;
};

}  // namespace heddle
