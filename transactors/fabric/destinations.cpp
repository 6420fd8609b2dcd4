#include "transactors/fabric/destinations.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace heddle {
namespace {

std::vector<topology::index> homes_of(const endpoint_record& endpoint, const topology& net) {
  if (!endpoint.is_inc) return net.switches_beside(*endpoint.owner);
  std::vector<topology::index> homes;
  for (const unit* each : endpoint.homes) {
    const topology::index at = net.find(*each);
    if (at != topology::none) homes.push_back(at);
  }
  std::sort(homes.begin(), homes.end());
  return homes;
}

}  // namespace

destination_list group_destinations(const std::vector<endpoint_record>& endpoints,
                                    const topology& net, bool is_separate) {
  using key = std::tuple<bool, std::vector<topology::index>, std::size_t>;
  std::map<key, std::vector<endpoint_id>> by_homes;  // plain endpoints before devices
  for (std::size_t id = 0; id < endpoints.size(); ++id)
    by_homes[{endpoints[id].is_inc, homes_of(endpoints[id], net), is_separate ? id : 0}].push_back(
        static_cast<endpoint_id>(id));

  destination_list list;
  list.of.resize(endpoints.size());
  list.number.resize(endpoints.size());
  std::uint32_t number = 0;
  for (const auto& [shared, members] : by_homes) {
    const auto group = static_cast<std::uint32_t>(list.groups.size());
    for (std::size_t member = 0; member < members.size(); ++member) {
      list.of[members[member]] = {group, static_cast<std::uint32_t>(member)};
      list.number[members[member]] = number++;
    }
    list.groups.push_back({std::get<1>(shared), members, std::get<0>(shared)});
  }
  return list;
}

}  // namespace heddle
