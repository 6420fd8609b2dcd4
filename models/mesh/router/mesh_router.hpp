// Router of a 2D mesh with virtual channels: the textbook input-queued wormhole router with
// separable iSLIP allocation (Dally and Towles 2004, 16), the one that cycle-level network
// simulators model. All stages move at once, each takes one cycle:
//
//   route        an input VC whose first flit is a head looks up the output
//   allocate VC  it asks for all VCs of that output; the VC may be taken while the buffer behind it
//                is full; it is free again the cycle after the tail was granted the switch
//   switch       each input offers one VC per output, round robin, if the VC has a credit
//   cross        the flit leaves when the remaining cycles of the pipeline are over; its credit
//                goes back when the switch is granted
//
// A flit that arrives in cycle c leaves in c + pipeline - 1 at the earliest. A router is evaluated
// only while something can move in it.
//
// For studies of the network itself; where collectives are, see collective_router.hpp. The two are
// apart because each follows its own source: this one arbitrates virtual channels, that one forks
// and merges flits and has none.
//
// Limitations: carries unicast flits alone; one cycle each for routing and both allocations; input
// and output speed-up 1, no speculation, no lookahead; 12 virtual channels at most.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "models/mesh/mesh_ports.hpp"
#include "platform/trace/trace_scope.hpp"
#include "platform/unit/registry.hpp"
#include "transactors/arbitration/islip.hpp"
#include "transactors/arbitration/vc_islip.hpp"
#include "transactors/arbitration/word_set.hpp"
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

struct mesh_router_counters : statistic_set {
  alignas(64) statistic flits{*this, "flits", quantity::count, "flits forwarded"};
  statistic packets{*this, "packets", quantity::count, "packets forwarded"};
  statistic stalled{*this, "stalled", quantity::count,
                    "packets whose head waited for a virtual channel, a credit or the switch"};
  statistic wait{*this, "wait", quantity::time, "summed time for which those heads waited"};
};

class mesh_router final : public unit, private flit_router {
 public:
  using parameters = mesh_router_parameters;
  using counters = mesh_router_counters;
  static std::vector<port_description> port_descriptions();

  mesh_router(const unit_context& context, const parameters& p);

  void evaluate(cycle_t now);  // one clock cycle
  const statistic_set* statistics() const override { return &counters_; }
  const mesh_router_counters& count() const { return counters_; }
  std::string waiting_for() const override;
  std::size_t bytes() const;  // of memory, ports and buffers included

 private:
  using vc_mask = std::uint64_t;  // a bit an input VC: port * vcs + vc
  static constexpr int most_channels = 64;
  static constexpr int most_vcs = most_channels / mesh_directions;
  static constexpr std::size_t most_outputs = 8;
  using port_word = word_set<std::uint8_t>;
  using channel_word = word_set<std::uint64_t>;

  // An input VC is in at most one of the masks routing_, allocating_ and active_.
  struct input_vc {
    std::uint32_t routed = 0;  // the head that it handles: low bits of the cycle
    std::uint16_t count = 0;   // flits
    std::uint8_t port = 0;
    std::uint8_t vc = 0;
    std::uint8_t output = 0;
    std::uint8_t output_vc = 0;
  };

  const unit& as_unit() const override { return *this; }
  mesh_position position() const override { return here_; }
  const flit_port& port_at(int index) const override { return ports_[index]; }
  int route(mesh_position destination) const override {
    return route_by(routes_, here_, destination);
  }

  void on_connected() override;
  vc_mask accept(cycle_t arrival, cycle_t now);
  void catch_up(cycle_t now);
  bool allocate_vcs();
  void compute_routes(vc_mask heads, cycle_t cycle);
  vc_mask allocate_switch(vc_mask ready, cycle_t now);
  void unblock(cycle_t now);
  bool has_credit(int channel, cycle_t now);
  void offer(int port, vc_mask vcs, cycle_t now);
  vc_mask allocate_switch_to(int channel, cycle_t now);
  vc_mask match_switch();
  void grant(int channel, cycle_t now);
  void count_head(const input_vc& source, cycle_t now);
  void reject(const flit& head);

  // Cycles between the arrival of a head and its switch allocation. A router that sleeps is woken
  // for that, and makes up for what it slept through.
  static constexpr cycle_t to_switch = 2;

  alignas(64) clock_member clock_;  // neighbors touch it and the wheel
  arrival_wheel arrivals_;
  int vcs_ = 0;
  vc_mask filled_ = 0, routing_ = 0, allocating_ = 0, active_ = 0, activated_ = 0;
  vc_mask first_port_ = 0;  // VCs of port 0
  vc_mask blocked_ = 0;     // active VCs that found no credit
  port_mask bound_ = 0;
  bool is_traced_ = false;
  cycle_t last_ = 0;  // evaluated
  cycle_t crossbar_;  // switch grant to departure
  mesh_position here_;
  route_table routes_;
  std::array<std::uint16_t, most_outputs> free_vcs_{};

  // Switch allocation, by port
  std::array<std::uint8_t, mesh_directions> next_vc_{};  // round robin among VCs for one output
  islip<port_word, mesh_directions> switch_allocator_{mesh_directions};
  std::array<std::array<std::uint8_t, mesh_directions>, mesh_directions> offered_{};

  std::array<input_vc, most_channels> channels_;
  vc_islip<channel_word, port_word, most_channels, most_outputs> vc_allocator_{
      mesh_directions, most_channels, most_outputs};
  std::array<flit_port, mesh_directions> ports_;
  std::array<trace_signal<std::uint64_t>, mesh_directions> depth_;
  std::array<std::uint64_t, mesh_directions> buffered_{};
  mesh_router_counters counters_;
};

}  // namespace heddle
