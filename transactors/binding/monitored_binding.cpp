#include "transactors/binding/monitored_binding.hpp"

#include <memory>
#include <vector>

#include "platform/services/run_control.hpp"
#include "platform/unit/simulation.hpp"
#include "platform/unit/unit.hpp"
#include "transactors/monitors/memory_monitor.hpp"
#include "transactors/monitors/packet_monitor.hpp"
#include "transactors/monitors/request_ledger.hpp"

namespace heddle {
namespace {

// Keeps the monitors of a run.
struct monitor_store {
  std::vector<std::unique_ptr<sc_core::sc_module>> monitors;
  bool asks_for_lost_requests = false;
};

// "port[3]" becomes "port_3_monitor".
std::string monitor_name(const port& watched) {
  std::string name;
  for (char c : watched.name())
    if (c != ']') name += c == '[' ? '_' : c;
  return name + "_monitor";
}

std::string binding_path(const port& from, const port& to) {
  return from.path() + " -> " + to.path();
}

}  // namespace

void bind_monitored(packet_initiator_socket& from, packet_target_socket& to,
                    const packet_port& sender, const packet_port& receiver) {
  simulation& sim = sender.owner().sim();
  if (!sim.settings().has_monitors) return from.bind(to);
  const monitored_link link{sender.rate(), sender.latency(), sender.vcs(), sender.buffer_bytes()};
  const building_inside owning(sender.owner());
  auto monitor =
      std::make_unique<packet_monitor>(monitor_name(sender).c_str(), binding_path(sender, receiver),
                                       link, sender.owner(), receiver.owner());
  from.bind(monitor->from_sender);
  monitor->to_receiver.bind(to);
  auto& store = sim.service<monitor_store>();
  store.monitors.push_back(std::move(monitor));
  if (store.asks_for_lost_requests) return;
  store.asks_for_lost_requests = true;
  sim.service<run_control>().when_starved(
      [&sim] { sim.service<request_ledger>().report_lost(sim); });
}

void bind_monitored(memory_initiator_base& from, memory_target_base& to,
                    const memory_initiator_port& initiator, const memory_target_port& target) {
  simulation& sim = initiator.owner().sim();
  if (!sim.settings().has_monitors) return from.bind(to);
  const building_inside owning(initiator.owner());
  auto monitor = std::make_unique<memory_monitor>(monitor_name(initiator).c_str(),
                                                  binding_path(initiator, target), sim);
  from.bind(monitor->from_initiator);
  monitor->to_target.bind(to);
  sim.service<monitor_store>().monitors.push_back(std::move(monitor));
}

}  // namespace heddle
