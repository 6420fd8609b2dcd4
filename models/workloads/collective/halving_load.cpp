#include "models/workloads/collective/halving_load.hpp"

#include "sw/collectives/fold.h"

namespace heddle {
namespace {

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
  // The chunks of all ranks behind ids [first, first + ids).
  double share_of(std::uint32_t first, std::uint32_t ids) const {
    const std::uint32_t ranks =
        fold_first_rank(&fold_, first + ids) - fold_first_rank(&fold_, first);
    return static_cast<double>(ranks) / fold_.ranks;
  }

  struct fold fold_;
  std::uint32_t rank_, id_;
};

wire_load operator+(const wire_load& a, const wire_load& b) {
  return {a.out + b.out, a.in + b.in};
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

}  // namespace heddle
