#include "transactors/fabric/routing/dragonfly.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "platform/trace/glob.hpp"
#include "transactors/fabric/routing/switch_indices.hpp"
#include "transactors/fabric/shortest.hpp"

namespace heddle {
namespace {

using index = topology::index;

}  // namespace

dragonfly_paths::dragonfly_paths(const topology& net, const dragonfly_settings& settings)
    : net_(net), group_of_(net.switches(), topology::none) {
  std::vector<index> members;
  for (index at = 0; at < net.switches(); ++at)
    if (glob_match(settings.switches, net.name_of(at))) members.push_back(at);
  const auto refuse = [&](const std::string& message) {
    throw user_error(settings.place, message);
  };
  if (members.empty()) refuse("no switch matches '" + settings.switches + "'");
  const index group_size = static_cast<index>(members.size()) / settings.groups;
  for (const index at : members) {
    std::vector<index> where = indices_in(net.name_of(at));
    if (where.size() == 1) {
      if (members.size() % settings.groups != 0)
        refuse(fmt::format("{} switches do not make {} groups of one size", members.size(),
                           settings.groups));
      where = {where[0] / group_size, where[0] % group_size};
    }
    if (where.size() == 2) where.insert(where.begin(), 0);  // the only plane
    if (where.size() != 3)
      refuse(
          fmt::format("{} has {} indices: a switch of a dragonfly has one, two, or three with "
                      "its plane",
                      net.name_of(at), where.size()));
    if (where[1] >= settings.groups)
      refuse(fmt::format("{} is outside the {} groups", net.name_of(at), settings.groups));
    group_of_[at] = where[0] * settings.groups + where[1];
  }
}

void dragonfly_paths::find(const destination_group& to, hops_by_switch& hops) const {
  const bool is_inside =
      !to.homes.empty() && std::none_of(to.homes.begin(), to.homes.end(), [&](index home) {
        return group_of_[home] == topology::none;
      });
  shortest_paths(net_).find(to, hops);
  if (!is_inside) return;

  // Last the hops in the groups of the homes, before them those between groups, before them those
  // to a switch that has a link to such a group.
  enum stage { to_home, global, local, stages };
  std::vector<index> length(net_.switches(), topology::none);
  std::set<index> home_groups;
  for (const index home : to.homes) {
    length[home] = 0;
    home_groups.insert(group_of_[home]);
  }
  for (index at = 0; at < net_.switches(); ++at)
    if (group_of_[at] != topology::none) hops[at].clear();
  for (int now = to_home; now < stages; ++now) {
    const std::vector<index> before = length;  // no two hops of a kind after each other
    for (index at = 0; at < net_.switches(); ++at) {
      const index group = group_of_[at];
      if (group == topology::none || before[at] == 0) continue;
      if ((home_groups.count(group) > 0) != (now == to_home)) continue;
      for (index number = net_.first_arc(at); number < net_.first_arc(at + 1); ++number) {
        const index next = net_.arc_at(number).to;
        const bool is_global = group_of_[next] != group;
        if (is_global != (now == global) || before[next] == topology::none) continue;
        if (now == to_home && before[next] != 0) continue;
        if (now == global && home_groups.count(group_of_[next]) == 0) continue;
        const index whole = before[next] + 1;
        if (whole > length[at]) continue;
        if (whole < length[at]) hops[at].clear();
        length[at] = whole;
        hops[at].push_back({number, static_cast<std::uint8_t>(now == to_home ? 1 : 0)});
      }
    }
  }
}

}  // namespace heddle
