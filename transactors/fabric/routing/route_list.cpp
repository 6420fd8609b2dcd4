#include "transactors/fabric/routing/route_list.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "platform/text/suggest.hpp"
#include "platform/trace/glob.hpp"
#include "platform/unit/unit.hpp"
#include "transactors/fabric/shortest.hpp"

namespace heddle {

listed_routes::listed_routes(const topology& net, const std::vector<endpoint_record>& endpoints,
                             const std::vector<listed_route>& routes)
    : net_(net) {
  for (const listed_route& each : routes) {
    resolved& route = routes_.emplace_back();
    std::vector<std::string> names;
    for (topology::index at = 0; at < net.switches(); ++at) {
      names.push_back(net.name_of(at));
      if (glob_match(each.at, net.name_of(at))) route.at.push_back(at);
    }
    if (route.at.empty())
      throw user_error(each.place,
                       "no switch matches '" + each.at + "'" + did_you_mean(each.at, names));
    names.clear();
    for (const endpoint_record& endpoint : endpoints) {
      names.push_back(endpoint.owner->path());
      route.to.push_back(glob_match(each.to, endpoint.owner->path()));
    }
    if (std::none_of(route.to.begin(), route.to.end(), [](bool is_meant) { return is_meant; }))
      throw user_error(each.place, "packets end in no unit that matches '" + each.to + "'" +
                                       did_you_mean(each.to, names));
    for (const topology::index at : route.at) route.hops.push_back(hops_of(each, at));
  }
}

std::vector<routed_hop> listed_routes::hops_of(const listed_route& route,
                                               topology::index at) const {
  std::vector<routed_hop> hops;
  for (const std::string& name : route.through) {
    std::vector<std::string> names;
    bool is_found = false;
    for (topology::index arc = net_.first_arc(at); arc < net_.first_arc(at + 1); ++arc) {
      names.push_back(net_.arc_at(arc).port->name());
      if (names.back() != name) continue;
      hops.push_back({arc});
      is_found = true;
    }
    if (!is_found)
      throw user_error(route.place, fmt::format("{}.{} leads to no switch{}", net_.name_of(at),
                                                name, did_you_mean(name, names)));
  }
  return hops;
}

void listed_routes::find(const destination_group& to, hops_by_switch& hops) const {
  shortest_paths(net_).find(to, hops);
  for (const resolved& each : routes_) {
    if (!each.to[to.members.front()]) continue;
    for (std::size_t i = 0; i < each.at.size(); ++i)
      if (std::find(to.homes.begin(), to.homes.end(), each.at[i]) == to.homes.end())
        hops[each.at[i]] = each.hops[i];
  }
}

}  // namespace heddle
