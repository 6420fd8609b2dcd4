#include "transactors/fabric/route_builder.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "platform/unit/unit.hpp"
#include "transactors/fabric/route_lengths.hpp"
#include "transactors/fabric/shortest.hpp"
#include "transactors/packet/vc_partition.hpp"

namespace heddle {
namespace {

weighted_way way_over(const packet_port& port, int phase) {
  return {route_entry::single(port.index(), phase), &port.peer()->owner(), port.weight()};
}

std::vector<topology::index> tiers_of(const topology& net, const destination_list& destinations) {
  std::vector<topology::index> homes;
  for (const destination_group& each : destinations.groups)
    if (!each.is_inc) homes.insert(homes.end(), each.homes.begin(), each.homes.end());
  std::sort(homes.begin(), homes.end());
  homes.erase(std::unique(homes.begin(), homes.end()), homes.end());
  std::vector<topology::index> tiers = hops_to(net, homes);
  std::replace(tiers.begin(), tiers.end(), topology::none, topology::index{0});
  return tiers;
}

// Packets start beside switches that have endpoints, and at those that hold devices.
std::vector<bool> sources_of(const topology& net, const std::vector<endpoint_record>& endpoints) {
  std::vector<bool> sources(net.switches());
  for (topology::index at = 0; at < net.switches(); ++at) sources[at] = net.has_endpoints(at);
  for (const endpoint_record& each : endpoints)
    for (const unit* home : each.homes)
      if (each.is_inc && net.find(*home) != topology::none) sources[net.find(*home)] = true;
  return sources;
}

}  // namespace

route_builder::route_builder(const topology& net, const std::vector<endpoint_record>& endpoints,
                             const routing_policy& policy, route_book& book)
    : net_(net),
      endpoints_(endpoints),
      policy_(policy),
      book_(book),
      destinations_(group_destinations(endpoints, net, policy.is_by_endpoint())),
      lists_(book),
      tiers_(tiers_of(net, destinations_)),
      local_(net.switches()),
      channels_(net, policy.phases(), sources_of(net, endpoints)),
      hops_(net.switches()) {
  book_.where = destinations_.of;
  book_.number = destinations_.number;
  book_.phases = policy.phases();
  for (topology::index at = 0; at < net.switches(); ++at)
    rows_.push_back(std::make_shared<row>(destinations_.groups.size(), route_entry::nowhere));
}

route_builder::tables route_builder::build() {
  refuse_few_channels();
  find_sources();
  for (std::uint32_t group = 0; group < destinations_.groups.size(); ++group) route(group);
  tables all;
  const auto add = [&](const unit& of) {
    unit_routes::contents contents = contents_of(of);
    add_neighbors(of, contents);
    all[&of] = std::make_unique<unit_routes>(of, book_, std::move(contents));
  };
  for (topology::index at = 0; at < net_.switches(); ++at) add(net_.unit_at(at));
  for (const auto& [of, from] : source_of_) add(*of);
  lists_.set_divisors();
  return all;
}

void route_builder::refuse_few_channels() const {
  for (topology::index number = 0; number < net_.arcs(); ++number) {
    const packet_port& port = *net_.arc_at(number).port;
    if (vc_partition(port.vcs()).of_class() >= policy_.phases()) continue;
    throw user_error(fmt::format(
        "this routing needs {0} virtual channels for requests and {0} for responses, but the link "
        "from {1} to {2} has {3} in all: set `vcs: {4}`",
        policy_.phases(), port.path(), port.peer()->path(), port.vcs(), 2 * policy_.phases()));
  }
}

void route_builder::find_sources() {
  for (const endpoint_record& each : endpoints_) {
    const auto& ports = net_.ports_of(*each.owner);
    if (each.is_inc || ports.empty() || source_of_.count(each.owner) > 0) continue;
    attachment behind;
    for (const packet_port* port : ports)
      behind.emplace_back(port->index(), net_.find(port->peer()->owner()));
    const auto [found, is_new] = sources_.try_emplace(std::move(behind));
    source& from = found->second;
    if (is_new)
      from = {ports, std::make_shared<row>(destinations_.groups.size(), route_entry::nowhere),
              net_.switches() + static_cast<std::uint32_t>(sources_.size()), &each};
    if (stands_before(each, *from.example)) from.example = &each;
    source_of_[each.owner] = &from;
  }
}

void route_builder::route(std::uint32_t group) {
  const destination_group& to = destinations_.groups[group];
  for (auto& each : hops_) each.clear();
  policy_.find(to, hops_);
  length_ = path_lengths(net_, to, hops_);
  for (topology::index at = 0; at < net_.switches(); ++at)
    if (!hops_[at].empty()) (*rows_[at])[group] = entry_of(at);
  if (!to.is_inc)
    for (const topology::index home : to.homes) deliver(group, home);
  for (auto& [behind, from] : sources_) (*from.entries)[group] = entry_of(from);
  std::vector<std::uint32_t> entries;
  for (const auto& each : rows_) entries.push_back((*each)[group]);
  channels_.add(hops_, entries);
}

std::uint32_t route_builder::entry_of(topology::index at) {
  std::vector<weighted_way> ways;
  std::uint32_t tier = 0;
  for (const routed_hop& each : hops_[at]) {
    const topology::arc& over = net_.arc_at(each.arc);
    if (length_[over.to] == topology::none) continue;  // it ends there
    if (ways.empty()) tier = std::min(tiers_[at], tiers_[over.to]);
    ways.push_back(way_over(*over.port, each.phase));
  }
  return lists_.entry_of(ways, at, tier);
}

// A home has an entry of its own for each member of the group.
void route_builder::deliver(std::uint32_t group, topology::index home) {
  (*rows_[home])[group] = route_entry::is_local | static_cast<std::uint32_t>(local_[home].size());
  std::unordered_map<const unit*, std::vector<weighted_way>> ways;
  for (const packet_port* each : net_.ports_of(net_.unit_at(home)))
    ways[&each->peer()->owner()].push_back(way_over(*each, 0));
  for (const endpoint_id member : destinations_.groups[group].members)
    local_[home].push_back(lists_.last_entry_of(ways[endpoints_[member].owner], home));
}

// Over the ports behind which the paths are the shortest.
std::uint32_t route_builder::entry_of(const source& from) {
  topology::index shortest = topology::none;
  std::vector<weighted_way> ways;
  for (const packet_port* each : from.ports) {
    const topology::index next = net_.find(each->peer()->owner());
    if (next == topology::none || length_[next] == topology::none) continue;
    if (length_[next] < shortest) ways.clear();
    shortest = std::min(shortest, length_[next]);
    if (length_[next] == shortest) ways.push_back(way_over(*each, 0));
  }
  return lists_.source_entry_of(ways, from.number);
}

unit_routes::contents route_builder::contents_of(const unit& of) const {
  const topology::index at = net_.find(of);
  if (at == topology::none) return {source_of_.at(&of)->entries, {}, {}, 0};
  return {rows_[at], local_[at], channels_of(of), at};
}

// Endpoints that are linked to each other need no switch.
void route_builder::add_neighbors(const unit& of, unit_routes::contents& all) {
  std::unordered_map<const unit*, std::vector<weighted_way>> ways;
  if (net_.find(of) != topology::none) return;
  for (const packet_port* each : net_.ports_of(of))
    if (net_.find(each->peer()->owner()) == topology::none)
      ways[&each->peer()->owner()].push_back(way_over(*each, 0));
  if (ways.empty()) return;
  row entries = *all.row;
  for (std::uint32_t group = 0; group < destinations_.groups.size(); ++group) {
    const destination_group& to = destinations_.groups[group];
    if (to.is_inc) continue;
    const auto is_beside = [&](endpoint_id id) { return ways.count(endpoints_[id].owner) > 0; };
    if (std::none_of(to.members.begin(), to.members.end(), is_beside)) continue;
    const std::uint32_t otherwise = entries[group];
    entries[group] = route_entry::is_local | static_cast<std::uint32_t>(all.local.size());
    for (const endpoint_id member : to.members)
      all.local.push_back(is_beside(member) ? lists_.source_entry_of(ways[endpoints_[member].owner],
                                                                     source_of_.at(&of)->number)
                                            : otherwise);
  }
  all.row = std::make_shared<row>(std::move(entries));
}

// Packets keep their channels where all links are alike and routes have one phase.
std::vector<unit_routes::channels> route_builder::channels_of(const unit& of) const {
  const auto& ports = net_.ports_of(of);
  const auto differs = [&](const packet_port* each) { return each->vcs() != ports.front()->vcs(); };
  if (policy_.phases() == 1 && std::none_of(ports.begin(), ports.end(), differs)) return {};
  std::vector<unit_routes::channels> all(static_cast<std::size_t>(ports.back()->index()) + 1);
  for (const packet_port* each : ports) {
    const bool leads_on = net_.find(each->peer()->owner()) != topology::none;
    const vc_partition classes(each->vcs());
    const int of_phase = leads_on ? classes.of_class() / policy_.phases() : classes.of_class();
    all[static_cast<std::size_t>(each->index())] = {classes, static_cast<std::uint8_t>(of_phase)};
  }
  return all;
}

}  // namespace heddle
