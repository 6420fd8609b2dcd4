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
      hot_terminal_(p.hot_endpoint()),
      sink_(*this, clock_, "sink", 1, arrivals_, {}),
      number_(sim().service<flit_fabric>().add_terminal(port_, sink_)) {
  sim().service<traffic_terminals>().add(path(), static_cast<endpoint_id>(number_),
                                         packet_granularity::flits);
  enter_traffic(*this, p, counters_);
}

void flit_traffic::on_connected() {
  const auto self = static_cast<endpoint_id>(number_);
  pattern_.start(sim().service<traffic_terminals>(), packet_granularity::flits, self,
                 sim().settings().seed);
  if (pattern_.sends_all_to_one()) pattern_.send_all_to(hot_terminal_, path() + ".hot_endpoint");
  auto& fabric = sim().service<flit_fabric>();
  fabric.start();
  std::vector<int> addressed;
  if (creates_packets())
    for (const endpoint_id to : pattern_.addressed()) addressed.push_back(static_cast<int>(to));
  fabric.state_destinations(number_, addressed);
  start(flit_fabric::address_of(number_), pattern_.has_destination(),
        sink_.is_bound() ? &sink_ : nullptr);
}

mesh_position flit_traffic::next_destination(random_stream& random) {
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
