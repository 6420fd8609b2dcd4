#include "models/workloads/collective/halving_load.hpp"

#include <utility>

#include "sw/collectives/fold.h"

namespace heddle {
namespace {

// The chunks of all ranks behind ids [first, first + ids), of the tensor.
double share_of_ids(const fold& of, std::uint32_t first, std::uint32_t ids) {
  const std::uint32_t ranks = fold_first_rank(&of, first + ids) - fold_first_rank(&of, first);
  return static_cast<double>(ranks) / of.ranks;
}

class exchange {
 public:
  exchange(const collective_case& of, std::uint64_t place)
      : fold_(fold_of(static_cast<std::uint32_t>(of.ranks))),
        rank_(static_cast<std::uint32_t>(place)),
        id_(fold_id(&fold_, rank_)) {}

  bool takes_part() const { return fold_takes_part(&fold_, rank_) != 0; }
  // Between neighbors of which one takes part: what goes to that one, and what comes back.
  wire_load with_neighbor(double inward, double outward) const {
    if (rank_ >= 2 * fold_.pairs) return {};
    return takes_part() ? wire_load{outward, inward} : wire_load{inward, outward};
  }
  // Calls use(given, kept) for each distance: shares of the tensor.
  template <class Use>
  void for_each_level(Use use) const {
    for (std::uint32_t ids = fold_.ids / 2; ids > 0; ids /= 2) {
      const std::uint32_t kept = id_ & ~(ids - 1);
      use(share_of(kept ^ ids, ids), share_of(kept, ids));
    }
  }

 private:
  double share_of(std::uint32_t first, std::uint32_t ids) const {
    return share_of_ids(fold_, first, ids);
  }

  struct fold fold_;
  std::uint32_t rank_, id_;
};

wire_load operator+(const wire_load& a, const wire_load& b) {
  return {a.out + b.out, a.in + b.in};
}

// Of the first ranks, each pair of neighbors exchanges: `sender` is the place of the one that
// sends.
void add_pairs(std::vector<message_round>& rounds, const fold& of, double share,
               std::uint32_t sender) {
  if (of.pairs == 0) return;
  message_round round;
  for (std::uint32_t first = 0; first < 2 * of.pairs; first += 2)
    round.messages.push_back({first + sender, first + 1 - sender, share});
  rounds.push_back(std::move(round));
}

// share_of(id) is what it sends to its partner at that distance.
template <class ShareOf>
message_round exchange_at(std::uint32_t distance, const fold& of, ShareOf share_of) {
  message_round round;
  for (std::uint32_t id = 0; id < of.ids; ++id)
    round.messages.push_back({fold_rank(&of, id), fold_rank(&of, id ^ distance), share_of(id)});
  return round;
}

}  // namespace

wire_load load_of_halving(const collective_case& of, std::uint64_t place) {
  const exchange with(of, place);
  const double chunk = 1 / static_cast<double>(of.ranks);
  const bool halves = of.collective != BOOT_ALLGATHER;
  const bool doubles = of.collective != BOOT_REDUCE_SCATTER;
  wire_load sum = with.with_neighbor(halves ? 1 : chunk, doubles ? 1 : chunk);
  if (!with.takes_part()) return sum;
  with.for_each_level([&](double given, double kept) {
    if (halves) sum = sum + wire_load{given, kept};
    if (doubles) sum = sum + wire_load{kept, given};
  });
  return sum;
}

wire_load load_of_doubling(const collective_case& of, std::uint64_t place) {
  const exchange with(of, place);
  wire_load sum = with.with_neighbor(1, 1);
  if (with.takes_part()) with.for_each_level([&](double, double) { sum = sum + wire_load{1, 1}; });
  return sum;
}

std::vector<message_round> rounds_of_halving(const collective_case& of) {
  const fold ranks = fold_of(static_cast<std::uint32_t>(of.ranks));
  const double chunk = 1 / static_cast<double>(of.ranks);
  const bool halves = of.collective != BOOT_ALLGATHER;
  const bool doubles = of.collective != BOOT_REDUCE_SCATTER;
  const auto kept_at = [](std::uint32_t distance, std::uint32_t id) {
    return id & ~(distance - 1);
  };
  std::vector<message_round> rounds;
  add_pairs(rounds, ranks, halves ? 1 : chunk, 0);
  for (std::uint32_t distance = ranks.ids / 2; halves && distance > 0; distance /= 2)
    rounds.push_back(exchange_at(distance, ranks, [&](std::uint32_t id) {
      return share_of_ids(ranks, kept_at(distance, id) ^ distance, distance);
    }));
  for (std::uint32_t distance = 1; doubles && distance < ranks.ids; distance *= 2)
    rounds.push_back(exchange_at(distance, ranks, [&](std::uint32_t id) {
      return share_of_ids(ranks, kept_at(distance, id), distance);
    }));
  add_pairs(rounds, ranks, doubles ? 1 : chunk, 1);
  return rounds;
}

std::vector<message_round> rounds_of_doubling(const collective_case& of) {
  const fold ranks = fold_of(static_cast<std::uint32_t>(of.ranks));
  std::vector<message_round> rounds;
  add_pairs(rounds, ranks, 1, 0);
  for (std::uint32_t distance = ranks.ids / 2; distance > 0; distance /= 2) {
    rounds.push_back(exchange_at(distance, ranks, [](std::uint32_t) { return 1.0; }));
    rounds.back().more_ways = 1;  // measured with yaml/leaf_spine.yaml and stars, at any latency
  }
  add_pairs(rounds, ranks, 1, 1);
  return rounds;
}

}  // namespace heddle
