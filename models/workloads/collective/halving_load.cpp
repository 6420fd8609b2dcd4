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

class round_list {
 public:
  explicit round_list(const collective_case& of)
      : fold_(fold_of(static_cast<std::uint32_t>(of.ranks))) {}

  // Ranks without an id give to their neighbors, and get back.
  void add_giving(double share) { add_pairs(share, 0); }
  void add_return(double share) { add_pairs(share, 1); }
  // Between ids at that distance. A rank sends the share of the ids that its partner has kept, or
  // of those that it has kept itself.
  void add_exchange(std::uint32_t distance, bool is_of_partner) {
    message_round round;
    for (std::uint32_t id = 0; id < fold_.ids; ++id) {
      const std::uint32_t own = id & ~(distance - 1);
      const std::uint32_t first = is_of_partner ? own ^ distance : own;
      round.messages.push_back({rank(id), rank(id ^ distance), share_of(first, distance)});
    }
    rounds_.push_back(std::move(round));
  }
  void add_whole_exchange(std::uint32_t distance) {
    message_round round;
    round.more_ways = 1;  // measured: a partner that is late is waited for once more
    for (std::uint32_t id = 0; id < fold_.ids; ++id)
      round.messages.push_back({rank(id), rank(id ^ distance), 1});
    rounds_.push_back(std::move(round));
  }
  std::uint32_t ids() const { return fold_.ids; }
  std::vector<message_round> take() { return std::move(rounds_); }

 private:
  std::uint32_t rank(std::uint32_t id) const { return fold_rank(&fold_, id); }
  double share_of(std::uint32_t first, std::uint32_t ids) const {
    return share_of_ids(fold_, first, ids);
  }
  void add_pairs(double share, std::uint32_t sender) {
    if (fold_.pairs == 0) return;
    message_round round;
    for (std::uint32_t first = 0; first < 2 * fold_.pairs; first += 2)
      round.messages.push_back({first + sender, first + 1 - sender, share});
    rounds_.push_back(std::move(round));
  }

  struct fold fold_;
  std::vector<message_round> rounds_;
};

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
  round_list list(of);
  const double chunk = 1 / static_cast<double>(of.ranks);
  const bool halves = of.collective != BOOT_ALLGATHER;
  const bool doubles = of.collective != BOOT_REDUCE_SCATTER;
  list.add_giving(halves ? 1 : chunk);
  for (std::uint32_t distance = list.ids() / 2; halves && distance > 0; distance /= 2)
    list.add_exchange(distance, true);
  for (std::uint32_t distance = 1; doubles && distance < list.ids(); distance *= 2)
    list.add_exchange(distance, false);
  list.add_return(doubles ? 1 : chunk);
  return list.take();
}

std::vector<message_round> rounds_of_doubling(const collective_case& of) {
  round_list list(of);
  list.add_giving(1);
  for (std::uint32_t distance = list.ids() / 2; distance > 0; distance /= 2)
    list.add_whole_exchange(distance);
  list.add_return(1);
  return list.take();
}

}  // namespace heddle
