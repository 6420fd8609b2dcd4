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

// Finds the hops to some home switches backwards, in the stages of a route: last the hops in the
// groups of the homes, before them those between groups, before them those to a switch that has a
// link to such a group.
class staged_search final {
 public:
  staged_search(const topology& net, const std::vector<index>& group_of,
                const destination_group& to, hops_by_switch& hops)
      : net_(net), group_of_(group_of), hops_(hops), length_(net.switches(), topology::none) {
    for (const index home : to.homes) {
      length_[home] = 0;
      home_groups_.insert(group_of_[home]);
    }
  }

  void run() {
    for (index at = 0; at < net_.switches(); ++at)
      if (group_of_[at] != topology::none) hops_[at].clear();
    for (int now = to_home; now < stages; ++now) {
      before_ = length_;
      for (index at = 0; at < net_.switches(); ++at)
        if (takes_part(at, now)) add_hops(at, now);
    }
  }

 private:
  enum stage { to_home, global, local, stages };

  bool is_in_home_group(index at) const { return home_groups_.count(group_of_[at]) > 0; }
  bool takes_part(index at, int now) const {
    return group_of_[at] != topology::none && before_[at] != 0 &&
           is_in_home_group(at) == (now == to_home);
  }
  bool is_hop(index at, index next, int now) const {
    const bool is_global = group_of_[next] != group_of_[at];
    if (is_global != (now == global) || before_[next] == topology::none) return false;
    if (now == to_home && before_[next] != 0) return false;
    return now != global || is_in_home_group(next);
  }
  // Adds the hops of the shortest routes alone.
  void add_hops(index at, int now) {
    for (index number = net_.first_arc(at); number < net_.first_arc(at + 1); ++number) {
      const index next = net_.arc_at(number).to;
      if (!is_hop(at, next, now)) continue;
      const index whole = before_[next] + 1;
      if (whole > length_[at]) continue;
      if (whole < length_[at]) hops_[at].clear();
      length_[at] = whole;
      hops_[at].push_back({number, static_cast<std::uint8_t>(now == to_home ? 1 : 0)});
    }
  }

  const topology& net_;
  const std::vector<index>& group_of_;
  hops_by_switch& hops_;
  std::vector<index> length_;  // of the shortest route that is known, by switch
  std::vector<index> before_;  // the same before this stage: no two hops of one follow each other
  std::set<index> home_groups_;
};

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

  staged_search(net_, group_of_, to, hops).run();
}

}  // namespace heddle
