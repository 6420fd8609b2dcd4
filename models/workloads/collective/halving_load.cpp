#include "models/workloads/collective/halving_load.hpp"

#include <utility>

#include "sw/collectives/fold.h"

namespace heddle {
namespace {

// What a rank does in a round: what it sends to its partner, and gets from there. Nothing where it
// takes no part.
struct exchange {
  std::uint32_t partner;
  wire_load load;
  double more_ways = 0;
};

// The rounds of one rank, as many as any other has.
class exchanges {
 public:
  exchanges(std::uint64_t ranks, std::uint64_t place)
      : fold_(fold_of(static_cast<std::uint32_t>(ranks))),
        rank_(static_cast<std::uint32_t>(place)),
        id_(fold_id(&fold_, rank_)) {}

  const std::vector<exchange>& all() const { return all_; }
  std::uint32_t ids() const { return fold_.ids; }

  // Of the first ranks, one of each pair of neighbors takes part: so much goes to that one, or
  // comes back from there.
  void add_pairs(double share, bool is_inward) {
    if (fold_.pairs == 0) return;
    const bool sends = is_inward != takes_part();
    const wire_load load = sends ? wire_load{share, 0} : wire_load{0, share};
    all_.push_back({rank_ ^ 1, rank_ < 2 * fold_.pairs ? load : wire_load{}});
  }
  // A partner at that distance of ids. The chunks that either of them keeps are shares of the
  // tensor: of those one sends the other's, or its own.
  void add_halving(std::uint32_t distance) {
    add(distance, {kept_by(id_ ^ distance, distance), kept_by(id_, distance)});
  }
  void add_doubling(std::uint32_t distance) {
    add(distance, {kept_by(id_, distance), kept_by(id_ ^ distance, distance)});
  }
  void add_whole(std::uint32_t distance) {
    add(distance, {1, 1});
    all_.back().more_ways = 1;  // measured with yaml/leaf_spine.yaml and stars, at any latency
  }

 private:
  bool takes_part() const { return fold_takes_part(&fold_, rank_) != 0; }
  void add(std::uint32_t distance, const wire_load& load) {
    all_.push_back({fold_rank(&fold_, id_ ^ distance), takes_part() ? load : wire_load{}});
  }
  // The chunks of all ranks behind as many ids as the distance.
  double kept_by(std::uint32_t id, std::uint32_t distance) const {
    const std::uint32_t first = id & ~(distance - 1);
    const std::uint32_t ranks =
        fold_first_rank(&fold_, first + distance) - fold_first_rank(&fold_, first);
    return static_cast<double>(ranks) / fold_.ranks;
  }

  struct fold fold_;
  std::uint32_t rank_, id_;
  std::vector<exchange> all_;
};

std::vector<exchange> halving(const collective_case& of, std::uint64_t place) {
  const double chunk = 1 / static_cast<double>(of.ranks);
  const bool halves = of.collective != BOOT_ALLGATHER;
  const bool doubles = of.collective != BOOT_REDUCE_SCATTER;
  exchanges rounds(of.ranks, place);
  rounds.add_pairs(halves ? 1 : chunk, true);
  for (std::uint32_t distance = rounds.ids() / 2; halves && distance > 0; distance /= 2)
    rounds.add_halving(distance);
  for (std::uint32_t distance = 1; doubles && distance < rounds.ids(); distance *= 2)
    rounds.add_doubling(distance);
  rounds.add_pairs(doubles ? 1 : chunk, false);
  return rounds.all();
}

std::vector<exchange> doubling(const collective_case& of, std::uint64_t place) {
  exchanges rounds(of.ranks, place);
  rounds.add_pairs(1, true);
  for (std::uint32_t distance = rounds.ids() / 2; distance > 0; distance /= 2)
    rounds.add_whole(distance);
  rounds.add_pairs(1, false);
  return rounds.all();
}

using exchanges_of = std::vector<exchange> (*)(const collective_case& of, std::uint64_t place);

wire_load sum_of(exchanges_of rounds, const collective_case& of, std::uint64_t place) {
  wire_load sum;
  for (const exchange& each : rounds(of, place)) {
    sum.out += each.load.out;
    sum.in += each.load.in;
  }
  return sum;
}

std::vector<message_round> messages_of(exchanges_of rounds, const collective_case& of) {
  std::vector<message_round> found(rounds(of, 0).size());
  for (std::uint32_t rank = 0; rank < of.ranks; ++rank) {
    const std::vector<exchange> own = rounds(of, rank);
    for (std::size_t i = 0; i < own.size(); ++i) {
      found[i].more_ways = own[i].more_ways;
      if (own[i].load.out > 0) found[i].messages.push_back({rank, own[i].partner, own[i].load.out});
    }
  }
  return found;
}

}  // namespace

wire_load load_of_halving(const collective_case& of, std::uint64_t place) {
  return sum_of(&halving, of, place);
}

wire_load load_of_doubling(const collective_case& of, std::uint64_t place) {
  return sum_of(&doubling, of, place);
}

std::vector<message_round> rounds_of_halving(const collective_case& of) {
  return messages_of(&halving, of);
}

std::vector<message_round> rounds_of_doubling(const collective_case& of) {
  return messages_of(&doubling, of);
}

}  // namespace heddle
