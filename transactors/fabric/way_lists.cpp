#include "transactors/fabric/way_lists.hpp"

#include <algorithm>
#include <boost/functional/hash.hpp>
#include <numeric>

namespace heddle {
namespace {

// Smooth weighted round robin: in every turn all gain their weight and the richest pays the sum.
class weighted_turns {
 public:
  void add(std::uint32_t weight) {
    weights_.push_back(weight);
    credits_.push_back(0);
    sum_ += weight;
  }
  std::int64_t sum() const { return sum_; }
  std::size_t next() {
    for (std::size_t i = 0; i < weights_.size(); ++i) credits_[i] += weights_[i];
    const auto richest = std::max_element(credits_.begin(), credits_.end());
    *richest -= sum_;
    return static_cast<std::size_t>(richest - credits_.begin());
  }

 private:
  std::vector<std::int64_t> weights_, credits_;
  std::int64_t sum_ = 0;
};

// The ways that lead to one neighbor.
struct bundle {
  const void* neighbor;
  std::vector<std::uint32_t> entries;
  weighted_turns turns;
};

std::vector<bundle> bundles_of(const std::vector<weighted_way>& ways) {
  std::uint32_t unit_weight = 0;
  for (const weighted_way& each : ways) unit_weight = std::gcd(unit_weight, each.weight);
  std::vector<bundle> bundles;
  for (const weighted_way& each : ways) {
    auto found = std::find_if(bundles.begin(), bundles.end(),
                              [&](const bundle& b) { return b.neighbor == each.neighbor; });
    if (found == bundles.end()) found = bundles.insert(found, {each.neighbor, {}, {}});
    found->entries.push_back(each.entry);
    found->turns.add(each.weight / unit_weight);
  }
  return bundles;
}

}  // namespace

std::size_t way_lists::hash::operator()(const std::vector<std::uint32_t>& key) const {
  return boost::hash_range(key.begin(), key.end());
}

std::uint32_t way_lists::entry_of(const std::vector<weighted_way>& ways, std::uint32_t unit,
                                  std::uint32_t tier) {
  return add(ways, unit, {tier, 0}, false);
}

std::uint32_t way_lists::last_entry_of(const std::vector<weighted_way>& ways, std::uint32_t unit) {
  return add(ways, unit, {no_tier, 0}, true);
}

std::uint32_t way_lists::source_entry_of(const std::vector<weighted_way>& ways,
                                         std::uint32_t unit) {
  const std::uint32_t entry = add(ways, unit, {no_tier, 0}, false);
  if (entry & route_entry::is_list)
    most_of_source_ = std::max(most_of_source_, book_.lists[route_entry::index_of(entry)].shares);
  return entry;
}

std::uint32_t way_lists::add(const std::vector<weighted_way>& ways, std::uint32_t unit, shape of,
                             bool is_last) {
  if (ways.empty()) return route_entry::nowhere;
  if (ways.size() == 1) return ways.front().entry;
  std::vector<std::uint32_t> key = {unit, is_last ? 1U : 0U};
  for (const weighted_way& each : ways) key.push_back(each.entry);
  const auto [known, is_new] = known_.try_emplace(std::move(key), 0);
  if (!is_new) return known->second;

  std::vector<bundle> bundles = bundles_of(ways);
  weighted_turns turns;
  for (const bundle& each : bundles) turns.add(static_cast<std::uint32_t>(each.turns.sum()));
  way_list list;
  list.first = static_cast<std::uint32_t>(book_.shares.size());
  list.shares = static_cast<std::uint32_t>(turns.sum());
  list.is_last = is_last;
  for (std::uint32_t i = 0; i < list.shares; ++i) {
    bundle& next = bundles[turns.next()];
    book_.shares.push_back(next.entries[next.turns.next()]);
  }
  of.neighbors = static_cast<std::uint32_t>(bundles.size());
  known->second = route_entry::is_list | static_cast<std::uint32_t>(book_.lists.size());
  book_.lists.push_back(list);
  shapes_.push_back(of);
  return known->second;
}

// A tier takes as many values of the key as its longest list has shares: first those that choose
// the neighbor, then those that choose among its links.
void way_lists::set_divisors() {
  struct radix {
    std::uint64_t neighbors = 1, shares = 1;
  };
  std::vector<radix> tiers;
  for (std::size_t i = 0; i < shapes_.size(); ++i) {
    if (shapes_[i].tier == no_tier) continue;
    if (tiers.size() <= shapes_[i].tier) tiers.resize(shapes_[i].tier + 1);
    radix& of = tiers[shapes_[i].tier];
    of.neighbors = std::max<std::uint64_t>(of.neighbors, shapes_[i].neighbors);
    of.shares = std::max<std::uint64_t>(of.shares, book_.lists[i].shares);
  }
  // Blocks of addresses have been spread over the ports of their source before.
  std::uint64_t taken = book_.spread == spread_key::address ? most_of_source_ : 1;
  std::vector<std::uint64_t> below;
  for (const radix& each : tiers) {
    below.push_back(taken);
    taken = std::min<std::uint64_t>(taken * each.shares, 1U << 24);
  }
  for (std::size_t i = 0; i < shapes_.size(); ++i) {
    if (shapes_[i].tier == no_tier) continue;
    const std::uint64_t links = shapes_[i].neighbors == 1 ? tiers[shapes_[i].tier].neighbors : 1;
    book_.lists[i].divisor = static_cast<std::uint32_t>(below[shapes_[i].tier] * links);
  }
}

}  // namespace heddle
