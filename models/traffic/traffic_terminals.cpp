#include "models/traffic/traffic_terminals.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "platform/text/suggest.hpp"
#include "platform/trace/glob.hpp"
#include "platform/unit/simulation.hpp"
#include "platform/unit/unit.hpp"

namespace heddle {

endpoint_id destination_set::draw(random_stream& random) const {
  if (cumulative.empty())
    return endpoints[random.below(static_cast<std::uint32_t>(endpoints.size()))];
  const std::uint64_t drawn = random.below(static_cast<std::uint32_t>(cumulative.back()));
  const auto chosen = std::upper_bound(cumulative.begin(), cumulative.end(), drawn);
  return endpoints[static_cast<std::size_t>(chosen - cumulative.begin())];
}

void traffic_terminals::add(const std::string& path, endpoint_id endpoint,
                            packet_granularity granularity) {
  by_path_.emplace(path, all_.size());
  by_endpoint_.emplace(std::pair(granularity, endpoint), all_.size());
  all_.push_back({path, endpoint, granularity});
}

void traffic_terminals::find(const weighted_glob& glob, packet_granularity granularity,
                             std::vector<endpoint_id>& found) const {
  if (const auto exact = by_path_.find(glob.glob); exact != by_path_.end()) {
    const terminal& only = all_[exact->second];
    if (only.granularity == granularity) found.push_back(only.endpoint);
    return;
  }
  for (const terminal& each : all_)
    if (each.granularity == granularity && glob_match(glob.glob, each.path))
      found.push_back(each.endpoint);
}

bool traffic_terminals::knows(const std::string& glob, packet_granularity granularity) const {
  if (const auto exact = by_path_.find(glob); exact != by_path_.end())
    return all_[exact->second].granularity == granularity;
  return std::any_of(all_.begin(), all_.end(), [&](const terminal& each) {
    return each.granularity == granularity && glob_match(glob, each.path);
  });
}

void traffic_terminals::check_senders(const destination_table& table,
                                      packet_granularity granularity) const {
  for (const destination_table::sender& each : table.senders())
    if (!knows(each.name, granularity)) refuse(each.name, each.place);
}

endpoint_id traffic_terminals::named(const std::string& name, packet_granularity granularity,
                                     const source_place& place) const {
  const auto found = by_path_.find(name);
  if (found == by_path_.end() || all_[found->second].granularity != granularity)
    refuse(name, place);
  return all_[found->second].endpoint;
}

void traffic_terminals::refuse(const std::string& glob, const source_place& place) const {
  std::vector<std::string> names;
  for (const terminal& each : all_) names.push_back(each.path);
  throw user_error(place, fmt::format("no terminal of such traffic is called '{}'{}", glob,
                                      did_you_mean(glob, names)));
}

std::shared_ptr<const destination_set> traffic_terminals::select(const terminal_selection& list,
                                                                 packet_granularity granularity) {
  const std::string key = fmt::format("{} {}", static_cast<int>(granularity), list.text());
  if (const auto known = sets_.find(key); known != sets_.end()) return known->second;
  auto set = std::make_shared<destination_set>();
  std::vector<std::uint64_t> weights;
  const auto add = [&](const weighted_glob& glob) {
    std::vector<endpoint_id> found;
    find(glob, granularity, found);
    if (found.empty()) refuse(glob.glob, list.place);
    for (const endpoint_id each : found) {
      const auto [number, is_new] = set->numbers.try_emplace(each, set->size());
      if (is_new) {
        set->endpoints.push_back(each);
        weights.push_back(0);
      }
      weights[number->second] += glob.weight;
    }
  };
  if (list.globs.empty()) add({"*"});
  for (const weighted_glob& each : list.globs) add(each);
  if (std::any_of(weights.begin(), weights.end(), [&](auto w) { return w != weights.front(); })) {
    std::uint64_t sum = 0;
    for (const std::uint64_t each : weights) set->cumulative.push_back(sum += each);
    if (sum > UINT32_MAX)
      throw user_error(list.place,
                       "the weights of destinations add up to "
                       "more than 4 294 967 295");
  }
  return sets_[key] = std::move(set);
}

std::shared_ptr<const destination_set> traffic_terminals::select_by_table(
    const std::string& file, endpoint_id self, packet_granularity granularity) {
  const destination_table& table = tables_.of(file);
  if (checked_.emplace(&table, granularity).second) check_senders(table, granularity);
  const terminal_selection list = table.destinations_of(path_of(self, granularity));
  return list.globs.empty() ? std::make_shared<destination_set>() : select(list, granularity);
}

void traffic_terminals::check_reachable(const unit& from,
                                        const std::vector<endpoint_id>& addressed) const {
  const unit_routes& routes = from.sim().service<fabric>().routes(from);
  for (const endpoint_id to : addressed)
    if (!routes.reaches(to))
      throw user_error(fmt::format("no way leads from {} to {}, which its traffic addresses",
                                   from.path(), path_of(to)));
}

void traffic_terminals::watch(run_control& control) {
  if (std::exchange(is_watched_, true)) return;
  control.when_starved([this, &control] {
    if (under_way_ != 0)
      control.fail(
          fmt::format("{} packets of synthetic traffic never arrive: they wait for each "
                      "other's buffers",
                      under_way_));
  });
}

}  // namespace heddle
