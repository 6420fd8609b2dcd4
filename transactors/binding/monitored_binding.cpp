#include "transactors/binding/monitored_binding.hpp"

#include <memory>
#include <utility>

#include "platform/services/run_control.hpp"
#include "platform/unit/simulation.hpp"
#include "platform/unit/unit.hpp"
#include "transactors/monitors/memory_monitor.hpp"
#include "transactors/monitors/packet_monitor.hpp"
#include "transactors/monitors/request_ledger.hpp"

namespace heddle {
namespace {

// One per run.
struct lost_requests {
  bool are_asked_for = false;
};

// Monitors stay until the process ends, as units do (platform/netlist/builder.cpp): the kernel
// would search its lists of modules and sockets for each one that is destroyed.
template <class Monitor, class... Arguments>
Monitor& make_monitor(Arguments&&... arguments) {
  return *std::make_unique<Monitor>(std::forward<Arguments>(arguments)...).release();
}

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
  auto& monitor =
      make_monitor<packet_monitor>(monitor_name(sender).c_str(), binding_path(sender, receiver),
                                   link, sender.owner(), receiver.owner());
  from.bind(monitor.from_sender);
  monitor.to_receiver.bind(to);
  bool& are_asked_for = sim.service<lost_requests>().are_asked_for;
  if (std::exchange(are_asked_for, true)) return;
  sim.service<run_control>().when_starved(
      [&sim] { sim.service<request_ledger>().report_lost(sim); });
}

void bind_monitored(memory_initiator_base& from, memory_target_base& to,
                    const memory_initiator_port& initiator, const memory_target_port& target) {
  simulation& sim = initiator.owner().sim();
  if (!sim.settings().has_monitors) return from.bind(to);
  const building_inside owning(initiator.owner());
  auto& monitor = make_monitor<memory_monitor>(monitor_name(initiator).c_str(),
                                               binding_path(initiator, target), sim);
  from.bind(monitor.from_initiator);
  monitor.to_target.bind(to);
}

}  // namespace heddle
