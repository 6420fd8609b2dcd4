// What is wrong with routes as a whole: who does not reach whom, and where packets can deadlock.
#include <fmt/format.h>

#include <algorithm>

#include "platform/unit/unit.hpp"
#include "transactors/fabric/route_builder.hpp"

namespace heddle {

void route_builder::check() const {
  check_reach();
  check_devices();
  channels_.check();
}

const endpoint_record& route_builder::spokesman_of(const destination_group& group) const {
  const auto stands_before = [this](endpoint_id a, endpoint_id b) {
    return heddle::stands_before(endpoints_[a], endpoints_[b]);
  };
  return endpoints_[*std::min_element(group.members.begin(), group.members.end(), stands_before)];
}

// Of a pair one has to serve: the other asks it, and its answers come back. Endpoints without links
// want no network, and terminals of synthetic traffic see to themselves.
void route_builder::check_reach() const {
  for (const auto& [behind, from] : sources_)
    for (std::size_t group = 0; group < destinations_.groups.size(); ++group) {
      const destination_group& to = destinations_.groups[group];
      if (to.is_inc || to.homes.empty() || (*from.entries)[group] != route_entry::nowhere) continue;
      const endpoint_record &a = *from.example, &b = spokesman_of(to);
      if ((a.serves && !b.is_apart) || (b.serves && !a.is_apart)) refuse_pair(from, to);
    }
}

void route_builder::refuse_pair(const source& from, const destination_group& to) const {
  hops_by_switch hops(net_.switches());
  policy_.find(to, hops);
  std::string ends = "no link leads from " + from.example->owner->path() + " to a switch";
  std::vector<bool> is_passed(net_.switches());
  topology::index at = topology::none;
  for (const packet_port* each : from.ports)
    if (at == topology::none) at = net_.find(each->peer()->owner());
  while (at != topology::none && !is_passed[at]) {
    is_passed[at] = true;
    ends = "the path ends at " + net_.name_of(at);
    at = hops[at].empty() ? topology::none : net_.arc_at(hops[at].front().arc).to;
  }
  throw user_error(fmt::format("{} cannot reach {}: {}", from.example->owner->path(),
                               spokesman_of(to).owner->path(), ends));
}

// Packets of in-network computing have one virtual channel a class, and keep it.
void route_builder::check_devices() const {
  if (policy_.phases() == 1) return;
  for (std::size_t group = 0; group < destinations_.groups.size(); ++group) {
    const destination_group& to = destinations_.groups[group];
    if (!to.is_inc) continue;
    for (topology::index at = 0; at < net_.switches(); ++at)
      if (net_.has_endpoints(at) && (*rows_[at])[group] != route_entry::nowhere)
        throw user_error(fmt::format(
            "packets from {} to {} cross several switches in the one virtual channel of in-network "
            "computing, and this routing needs {}: route it by `routing: {{policy: up_down}}`",
            net_.name_of(at), endpoints_[to.members.front()].owner->path(), policy_.phases()));
  }
}

}  // namespace heddle
