// Router of a 2D mesh that takes part in collectives (collective NoC 3.1): x first, input-buffered,
// one physical link (wide, req and rsp are three such routers), no virtual channels. A router that
// has them, for unicasts alone, is mesh_router.hpp.
//
//   unicast    wormhole: an output stays with a packet from head to tail
//   multicast  forks by destination and mask; a flit leaves its buffer when the last copy is out
//   parallel   CollectB, LsbAnd, SelectAW: merged at once when all expected inputs have arrived
//   wide       FP64: two inputs at a time through the functional unit at the offload port
//
// A flit that is at the head of its input in cycle c is at the far input in c + pipeline + latency
// of the link at the earliest: 2 cycles a hop with the defaults.
//
// Packets of collectives hold no output between flits, so a branch that cannot go on blocks no
// other: flits of several packets may alternate on a link, each with its header, and an endpoint
// tells them apart by source and tag. With wormholes for multicasts two trees that share two
// columns could wait for each other.
//
// At most `reductions` flits of reductions wait for members in a router; the next ones wait in
// their FIFOs, where reductions that cross could block each other: fewer than the interfaces can
// have under way are refused, unless `crossing` is off.
//
// Limitations: a sender does not mix the flits of two packets that are unicast.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "models/mesh/collective/collective_route.hpp"
#include "models/mesh/collective/reduction_buffer.hpp"
#include "models/mesh/collective/wide_reduction.hpp"
#include "platform/trace/trace_scope.hpp"
#include "platform/unit/registry.hpp"
#include "transactors/flit/flit_network.hpp"
#include "transactors/flit/flit_payloads.hpp"

namespace heddle {

struct collective_router_parameters : parameter_set {
  parameter<std::uint64_t> x{*this, "x", 0, within(0, 255), "column", "a netlist says"};
  parameter<std::uint64_t> y{*this, "y", 0, within(0, 255), "row", "a netlist says"};
  parameter<duration> cycle{
      *this, "cycle", 1_ns, within(1_fs, 1_ms), "clock period", "collective NoC 4: 1 GHz"};
  parameter<std::uint64_t> pipeline{
      *this,
      "pipeline",
      1,
      within(0, 16),
      "cycles from the head of an input FIFO to the output's register",
      "collective NoC 2.1: 2 cycles per hop, one is the link's"};
  parameter<std::uint64_t> reductions{*this,
                                      "reductions",
                                      0,
                                      within(0, 16'777'216),
                                      "flits of reductions that wait for late members; 0: as many "
                                      "as the interfaces of the mesh can have under way",
                                      "fewer could deadlock where reductions cross"};
  parameter<bool> crossing{*this, "crossing", true,
                           "reductions to other destinations or of other members may come while "
                           "one waits; if not, one that does fails the run, and any number of "
                           "`reductions` will do",
                           "collective NoC 3.1.3: several coexist; 3.1.4: one wide one a router"};
  parameter<bool> loopback{*this, "loopback", true,
                           "a multicast that came from the tile also goes back there",
                           "an endpoint need not know; FlooNoC's tiles take their own copy inside"};
  parameter<std::uint64_t> header_buffer{
      *this,
      "header_buffer",
      5,
      within(1, 64),
      "wide reductions that are in the functional unit at a time",
      "collective NoC 3.1.4: more than the unit has stages (3, and a cycle to get there)"};
  parameter<byte_size> data{*this, "data", 64_B,
                            "bytes of data in a flit of AXI's W and R; its links move as many",
                            "collective NoC 2.1: 512 bit on the wide link"};
  parameter<double> hop_energy{*this,
                               "hop_energy",
                               1.1,
                               within(0.0, 1e9),
                               "pJ of a byte of data that passes through",
                               "collective NoC Table 1: hop"};
};

struct collective_router_counters : statistic_set {
  statistic flits{*this, "flits", quantity::count, "flits forwarded, each copy counts"};
  statistic hops{*this, "hops", quantity::count,
                 "flits of W and R sent to a neighbor that did not come straight from the tile"};
  statistic forks{*this, "forks", quantity::count, "copies that multicasts made here"};
  statistic reductions{*this, "reductions", quantity::count, "flits merged in parallel"};
  statistic wide_operations{*this, "wide_operations", quantity::count,
                            "two-input operations asked of the functional unit"};
  statistic stalls{*this, "stalls", quantity::count,
                   "cycles in which the head of an input stayed there, each input counts"};
  statistic peak_waiting{*this, "peak_waiting", quantity::count,
                         "most flits of reductions that waited for members at a time"};
};

class collective_router final : public unit, private flit_router {
 public:
  using parameters = collective_router_parameters;
  using counters = collective_router_counters;
  static std::vector<port_description> port_descriptions();

  collective_router(const unit_context& context, const parameters& p);

  void evaluate(cycle_t now);  // one clock cycle
  const statistic_set* statistics() const override { return &count(); }
  const collective_router_counters& count() const;
  cycle_t pipeline() const { return pipeline_; }
  const flit_port& port_at(int index) const override { return ports_[index]; }
  std::string waiting_for() const override;
  std::size_t bytes() const;  // of memory, ports and buffers included

 private:
  // Who asks for an output: the inputs, and the two kinds of reductions.
  static constexpr int from_parallel = mesh_directions, from_wide = mesh_directions + 1;
  static constexpr int nobody = -1;
  enum class state : std::uint8_t { idle, forward, fork, reduce, wait_member, wait_credit };

  struct input_fifo {
    int flits = 0;                   // in the port's buffer
    mutable cycle_t head_since = 0;  // it is counted up to here
    port_mask outputs = 0;           // the head has yet to go there
    bool is_known = false;           // outputs is that of the present head
  };
  struct output_port {
    int next = 0;        // round robin among requesters
    int owner = nobody;  // input whose unicast packet holds it
    port_mask asking = 0;
  };

  const flit& head_of(int from) const { return ports_[from].front(0); }
  const unit& as_unit() const override { return *this; }
  mesh_position position() const override { return here_; }
  int route(mesh_position destination) const override { return x_first(here_, destination); }
  order dimension_order() const override { return order::x_first; }

  void on_connected() override;
  void buffer_arrivals(port_mask arrived, cycle_t now);
  void look_at_heads(cycle_t now);
  void find_outputs(int from);
  std::size_t gathering_size() const;
  bool gather(int from, port_mask expected);
  void check_crossing(const flit& contribution);
  void start_wide(cycle_t now);
  void arbitrate(cycle_t now);
  void forward(int from, int to, cycle_t now);
  void forward_head(int from, int to, cycle_t now);
  void send(const flit& sent, int from, int to, cycle_t now);
  void pop(int from, cycle_t now);
  flit merge(const reduction_entry& complete);
  const reduction_entry* complete_for(int output) const;
  void show_state(cycle_t now);
  const char* operation() const;
  void reject(const std::string& what);
  void check_ends(const reduction_entry& entry, const flit& contribution, int from);

  // What a report says (collective_router_reports.cpp).
  std::string node_name(mesh_position node) const;
  std::string reduction_name(const flit& header) const;
  std::string late_members() const;
  std::string missing_in(const reduction_entry& entry) const;
  std::string members_behind(int input, const flit& header) const;

  mesh_position here_;
  std::size_t reductions_;  // as stated
  bool may_cross_;
  cycle_t pipeline_;
  std::uint64_t flit_bytes_;
  port_mask no_loopback_;  // outputs that multicasts from the tile leave out
  clock_member clock_;
  flit_payloads& payloads_;
  arrival_wheel arrivals_;
  port_mask bound_ = 0;   // ports that lead somewhere
  port_mask filled_ = 0;  // inputs with flits
  std::array<input_fifo, mesh_directions> inputs_;
  std::array<output_port, mesh_directions> outputs_;
  reduction_buffer waiting_;
  bool is_moving_ = false;
  bool lacks_credit_ = false;  // an output that was asked for
  bool is_rejected_ = false;
  state shown_ = state::idle;

  std::array<flit_port, mesh_directions> ports_;
  offload_initiator_port offload_;
  wide_reduction wide_;
  std::array<trace_signal<std::uint64_t>, mesh_directions> depth_;
  trace_signal<state> state_trace_;
  trace_signal<std::string_view> operation_;
  mutable collective_router_counters counters_;  // of heads that stay, when somebody asks
};

}  // namespace heddle
