#include "models/workloads/collective/aggregator_network.hpp"

#include <algorithm>
#include <limits>

#include "models/inc/aggregator/aggregator.hpp"
#include "models/workloads/collective/endpoint_of_rank.hpp"
#include "platform/services/link_directory.hpp"

namespace heddle {

aggregator_network::aggregator_network(const workload_cores& cores, simulation& sim)
    : ranks_(cores.ranks.size()) {
  for (const unit* each : sim.units())
    if (const auto* const device = dynamic_cast<const aggregator*>(each)) {
      neighbors_[&device->home()];
      buffers_[&device->home()] = device->buffer_bytes();
    }
  std::unordered_map<const unit*, std::size_t> numbers;
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank)
    numbers.emplace(endpoint_unit_of(*cores.ranks[rank], sim), rank);
  for (const link_record& each : sim.service<link_directory>().links) {
    const unit &from = each.from->owner(), &to = each.to->owner();
    if (neighbors_.count(&to) == 0) continue;
    if (const auto at = neighbors_.find(&from); at != neighbors_.end()) at->second.push_back(&to);
    const auto rank = numbers.find(&from);
    if (rank == numbers.end()) continue;
    ranks_[rank->second].switches.push_back(&to);
    ranks_[rank->second].rate += static_cast<double>(each.bytes_per_second);
  }
}

std::unordered_set<const unit*> aggregator_network::joined_to(const unit& start) const {
  std::unordered_set<const unit*> found = {&start};
  std::vector<const unit*> open = {&start};
  while (!open.empty()) {
    const unit* const at = open.back();
    open.pop_back();
    for (const unit* each : neighbors_.at(at))
      if (found.insert(each).second) open.push_back(each);
  }
  return found;
}

bool aggregator_network::joins(std::size_t first, std::size_t stride) const {
  const auto reaches_all = [&](const unit* start) {
    const std::unordered_set<const unit*> joined = joined_to(*start);
    for (std::size_t rank = first; rank < ranks_.size(); rank += stride) {
      const std::vector<const unit*>& own = ranks_[rank].switches;
      if (std::none_of(own.begin(), own.end(),
                       [&](const unit* each) { return joined.count(each) > 0; }))
        return false;
    }
    return true;
  };
  const std::vector<const unit*>& starts = ranks_[first].switches;
  return std::any_of(starts.begin(), starts.end(), reaches_all);
}

bool aggregator_network::is_common(const unit& wanted) const {
  return std::all_of(ranks_.begin(), ranks_.end(), [&](const attached& each) {
    return std::find(each.switches.begin(), each.switches.end(), &wanted) != each.switches.end();
  });
}

bool aggregator_network::has_one_for_all() const {
  const std::vector<const unit*>& first = ranks_.front().switches;
  return std::any_of(first.begin(), first.end(),
                     [&](const unit* each) { return is_common(*each); });
}

// One switch that has all ranks is a tree by itself.
std::uint64_t aggregator_network::smallest_buffer() const {
  std::uint64_t smallest = std::numeric_limits<std::uint64_t>::max();
  const bool is_alone = has_one_for_all();
  for (const unit* start : ranks_.front().switches) {
    if (is_alone && !is_common(*start)) continue;
    for (const unit* each : is_alone ? std::unordered_set<const unit*>{start} : joined_to(*start))
      smallest = std::min(smallest, buffers_.at(each));
  }
  return smallest;
}

}  // namespace heddle
