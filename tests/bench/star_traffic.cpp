#include "tests/bench/star_traffic.hpp"

#include <string>

#include "platform/time/kernel_run.hpp"
#include "tests/bench/measurement.hpp"

namespace heddle {
namespace {

constexpr double offered_load = 0.5;

}  // namespace

star_traffic::star_traffic(int ports, const std::string& name) {
  const link_parameters link;
  const fs_t on_wire = link.rate().duration(traffic_.wire_bytes);
  traffic_.mean_pause = static_cast<fs_t>(static_cast<double>(on_wire) / offered_load);
  switch_parameters hub;
  hub.ports.set(static_cast<std::uint64_t>(ports));
  switch_ = std::make_unique<packet_switch>(unit_context(name + "hub", sim_), hub);
  for (int i = 0; i < ports; ++i) {
    const std::string node = name + "node[" + std::to_string(i) + "]";
    endpoints_.push_back(std::make_unique<traffic_endpoint>(unit_context(node, sim_), traffic_));
  }
  for (int i = 0; i < ports; ++i) endpoints_[i]->link_port().connect(switch_->port_at(i), &link);
  for (unit* each : sim_.units()) each->on_connected();
}

std::uint64_t star_traffic::hops() const {
  std::uint64_t sum = 0;
  for (const packet_port* each : const_cast<simulation&>(sim_).service<fabric>().ports())
    sum += each->counters().packets.raw();
  return sum;
}

double star_traffic::run(std::uint64_t wanted) {
  const std::uint64_t hops_before = hops();
  const double before = cpu_seconds();
  for (const auto& each : endpoints_) each->start();
  run_kernel_for(wanted / 2 * traffic_.mean_pause / endpoints_.size());
  for (const auto& each : endpoints_) each->stop();
  run_kernel();
  return (cpu_seconds() - before) / static_cast<double>(hops() - hops_before);
}

}  // namespace heddle
