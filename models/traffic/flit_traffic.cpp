#include "models/traffic/flit_traffic.hpp"

#include "platform/unit/parameter_mistake.hpp"
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
      to_(p.to.settings(), p.trace()),
      entry_(sim().service<traffic_directory>().terminals.size()),
      hot_terminal_(p.hot_endpoint()),
      sink_(*this, clock_, "sink", 1, arrivals_, {0, 0, &receiver_clock_}),
      number_(sim().service<flit_fabric>().add_terminal(port_, sink_)) {
  if (p.to.pattern() == "all2one" && !p.to.hot.is_default() && !p.hot_endpoint.is_default())
    throw parameter_mistake("hot_endpoint", path() + ": `hot` already says where all goes");
  sim().service<traffic_terminals>().add(path(), static_cast<endpoint_id>(number_),
                                         packet_granularity::flits);
  enter_traffic(*this, *this, p, counters_);
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
  to_.start(sim().service<traffic_terminals>(), sim().service<packet_traces>(), *this, self,
            limit());
  if (to_.sends_all_to_one()) to_.send_all_to(hot_terminal_, path() + ".hot_endpoint");
  return start_creation(to_, entry_) ? to_.addressed() : std::vector<endpoint_id>();
}

traffic_source::place flit_traffic::exchange_place() const {
  return {&sim().service<flit_fabric>(), static_cast<endpoint_id>(number_)};
}

cycle_t flit_traffic::next_creation(random_stream& random) {
  return creation_of(to_, random);
}

mesh_position flit_traffic::next_destination(random_stream& random) {
  return flit_fabric::address_of(static_cast<int>(to_.next(random)));
}

void flit_traffic::measured(const flit&, fs_t latency) {
  lower_to(counters_.min_latency, latency, counters_.measured.raw() == 0);
  counters_.max_latency.raise_to(latency);
}

std::string flit_traffic::name_of(mesh_position address) const {
  return sim().service<flit_fabric>().name_of(flit_fabric::terminal_at(address));
}

}  // namespace heddle
