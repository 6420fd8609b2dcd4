#include "transactors/fabric/route_channels.hpp"

#include <fmt/format.h>

#include <utility>

#include "platform/text/diagnostic.hpp"
#include "transactors/fabric/channel_dependencies.hpp"

namespace heddle {

route_channels::route_channels(const topology& net, int phases, std::vector<bool> sources)
    : net_(net),
      phases_(static_cast<std::uint32_t>(phases)),
      sources_(std::move(sources)),
      arcs_into_(net.switches()),
      position_(net.arcs()),
      junctions_(net.switches()) {
  for (topology::index arc = 0; arc < net.arcs(); ++arc) {
    auto& into = arcs_into_[net.arc_at(arc).to];
    position_[arc] = static_cast<std::uint32_t>(into.size());
    into.push_back(arc);
  }
}

void route_channels::add(const hops_by_switch& hops, const std::vector<std::uint32_t>& entries) {
  std::vector<topology::index> reached;  // switches to which packets come
  std::vector<bool> is_reached = sources_;
  for (topology::index at = 0; at < net_.switches(); ++at)
    if (sources_[at]) reached.push_back(at);
  for (std::size_t i = 0; i < reached.size(); ++i)
    for (const routed_hop& hop : hops[reached[i]]) {
      const topology::index next = net_.arc_at(hop.arc).to;
      if (!is_reached[next]) reached.push_back(next);
      is_reached[next] = true;
      if (hops[next].empty()) continue;  // it leaves the network there
      junction& at = junctions_[next][entries[next]];
      if (at.hops.empty()) {
        at.hops = hops[next];
        at.arrivals.resize(arcs_into_[next].size() * phases_);
      }
      at.arrivals[position_[hop.arc] * phases_ + hop.phase] = true;
    }
}

std::string route_channels::name_of(channel c) const {
  const std::string& port = net_.arc_at(c / phases_).port->path();
  return phases_ == 1 ? port : fmt::format("{} vc {}", port, c % phases_);
}

void route_channels::check() const {
  channel_dependencies waits(net_.arcs() * phases_);
  for (topology::index at = 0; at < net_.switches(); ++at)
    for (const auto& [entry, here] : junctions_[at])
      for (std::size_t i = 0; i < here.arrivals.size(); ++i) {
        if (!here.arrivals[i]) continue;
        const channel held =
            arcs_into_[at][i / phases_] * phases_ + static_cast<std::uint32_t>(i % phases_);
        for (const routed_hop& wanted : here.hops) waits.add(held, channel_of(wanted));
      }
  const std::vector<channel> circle = waits.find_circle();
  if (circle.empty()) return;
  std::string text = "this network can deadlock: each of these channels waits for the next: ";
  for (const channel each : circle) text += name_of(each) + " -> ";
  throw user_error(text + name_of(circle.front()) +
                   "; route it by `routing: {policy: up_down}`, or in a torus by dimension_order "
                   "with datelines");
}

}  // namespace heddle
