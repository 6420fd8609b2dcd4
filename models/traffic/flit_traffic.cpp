#include "models/traffic/flit_traffic.hpp"

#include "platform/unit/simulation.hpp"
#include "transactors/flit/flit_fabric.hpp"

namespace heddle {
namespace {

HEDDLE_REGISTER_UNIT(flit_traffic, describe_unit<flit_traffic>("flit_traffic",
                                                               "injects and takes synthetic "
                                                               "traffic at a flit_switch"));

}  // namespace

std::vector<port_description> flit_traffic::port_descriptions() {
  return {{"port", "flit", "a link to a flit_switch"},
          {"sink", "flit", "another one, if packets arrive elsewhere than they leave"}};
}

flit_traffic::flit_traffic(const unit_context& context, const parameters& p)
    : flit_terminal(context, p, counters_),
      pattern_(p.to),
      trace_file_(p.trace()),
      hot_terminal_(p.hot_endpoint()),
      entry_(sim().service<traffic_directory>().terminals.size()),
      sink_(*this, clock_, "sink", 1, receiver_.arrivals, {0, 0, &receiver_clock_}),
      number_(sim().service<flit_fabric>().add_terminal(port_, sink_)) {
  sim().service<traffic_terminals>().add(path(), static_cast<endpoint_id>(number_),
                                         packet_granularity::flits);
  enter_traffic(*this, p, counters_);
}

void flit_traffic::on_connected() {
  const auto self = static_cast<endpoint_id>(number_);
  const std::vector<endpoint_id> to = prepare_creation(self);
  auto& fabric = sim().service<flit_fabric>();
  fabric.start();
  fabric.state_destinations(number_, std::vector<int>(to.begin(), to.end()));
  start(flit_fabric::address_of(number_), !to.empty(), sink_.is_bound() ? &sink_ : nullptr);
}

// Returns whom it may address: nobody when it creates nothing.
std::vector<endpoint_id> flit_traffic::prepare_creation(endpoint_id self) {
  auto& terminals = sim().service<traffic_terminals>();
  if (!trace_file_.empty()) {
    trace_ = sim().service<packet_traces>().of(trace_file_, path(), terminals,
                                               packet_granularity::flits, creation_end());
    enter_offered();
    return trace_->addressed();
  }
  pattern_.start(terminals, packet_granularity::flits, self, sim().settings().seed);
  if (pattern_.sends_all_to_one()) pattern_.send_all_to(hot_terminal_, path() + ".hot_endpoint");
  return creates_packets() ? pattern_.addressed() : std::vector<endpoint_id>();
}

// What the trace offers in the window, in place of the parameter.
void flit_traffic::enter_offered() {
  traffic_terminal& entered = sim().service<traffic_directory>().terminals[entry_];
  const auto packets = static_cast<double>(trace_->packets(window_start(), window_end()));
  const cycle_t cycles = (window_end() - window_start()) / entered.cycle;
  entered.offered =
      packets * static_cast<double>(entered.packet_flits) / static_cast<double>(cycles);
}

cycle_t flit_traffic::next_creation(random_stream& random) {
  if (!trace_) return flit_terminal::next_creation(random);
  if (trace_->is_over()) return never;
  const fs_t period = clock_.domain().period();
  return (trace_->time() + period - 1) / period;
}

mesh_position flit_traffic::next_destination(random_stream& random) {
  if (trace_) {
    const endpoint_id to = trace_->destination();
    trace_->advance();
    return flit_fabric::address_of(static_cast<int>(to));
  }
  return flit_fabric::address_of(static_cast<int>(pattern_.next(random)));
}

void flit_traffic::measured(const flit&, fs_t latency) {
  lower_to(counters_.min_latency, latency, counters_.measured.raw() == 0);
  counters_.max_latency.raise_to(latency);
}

std::string flit_traffic::name_of(mesh_position address) const {
  return sim().service<flit_fabric>().name_of(flit_fabric::terminal_at(address));
}

}  // namespace heddle
