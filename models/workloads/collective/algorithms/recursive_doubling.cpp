// Whole tensors are exchanged with partners at half the ranks' distance, a quarter, ...: log2(N)
// steps, each with all of the data. For small tensors, where latency counts and bandwidth does not.
// Beyond a power of two as halving_doubling, which also does the gathering.
#include "models/workloads/collective/algorithm.hpp"
#include "models/workloads/collective/halving_load.hpp"
#include "models/workloads/collective/halving_sizes.hpp"
#include "platform/number/power_of_two.hpp"
#include "sw/collectives/layout.h"

namespace heddle {
namespace {

// Measured with yaml/ring_allreduce.yaml and yaml/leaf_spine.yaml: with 2, 4, 8 and 16 ranks of one
// switch it takes 0.65, 0.93, 0.87 and 0.62 of the time of the direct algorithm up to this size,
// and is ahead up to 64 KiB; over two tiers of switches it is 1 to 5 % behind up to here, and 19 %
// at 64 KiB. Beyond a power of two the direct algorithm is ahead at any size. Two ranks exchange
// all in one step, which no other algorithm does with fewer bytes: at 256 KiB that takes 0.65 and
// 0.97 of the time of a ring, at 1 MiB 0.94 and 1.07.
std::uint64_t longest_short_tensor(std::uint64_t ranks) {
  return std::uint64_t{ranks == 2 ? 256U : 16U} << 10;
}

std::uint32_t levels_of(std::uint64_t ranks) {
  std::uint32_t levels = 0;
  while (ranks >> levels > 1) ++levels;
  return levels;
}

collective_algorithm recursive_doubling() {
  collective_algorithm of;
  of.name = "recursive_doubling";
  of.number = BOOT_RECURSIVE_DOUBLING;
  of.meaning = "whole tensors with ever closer partners";
  of.collectives = {BOOT_ALLREDUCE, BOOT_ALLGATHER};
  of.may_be_chained = &chains_all;
  of.scratch = [](const boot_job& job, std::uint32_t ranks) -> std::uint64_t {
    const std::uint32_t levels = levels_of(ranks);
    const bool is_folded = ranks != 1U << levels;
    if (job.collective == BOOT_ALLGATHER) return 0;
    return (levels + (is_folded ? 1 : 0)) * receive_region_bytes(&job, 1);
  };
  // Partners are those of halving, and an exchange adds the same two operands at either end.
  of.reduced = [](const collective_case& what, const rank_inputs& inputs, std::size_t elements) {
    return golden_halving_doubling_allreduce(what.type, what.op, inputs, elements);
  };
  of.load = [](const collective_case& what, std::uint64_t place) {
    return what.collective == BOOT_ALLGATHER ? load_of_halving(what, place)
                                             : load_of_doubling(what, place);
  };
  of.cost = [](const collective_case& what) {
    const bool gathers_best = what.collective == BOOT_ALLGATHER && halving_beats_ring(what);
    if (gathers_best) return 3.5;
    const bool is_best = what.collective == BOOT_ALLREDUCE && is_power_of_two(what.ranks) &&
                         what.bytes <= longest_short_tensor(what.ranks);
    return is_best ? 2.8 : std::numeric_limits<double>::infinity();
  };
  return of;
}

HEDDLE_REGISTER_ALGORITHM(recursive_doubling, recursive_doubling());

}  // namespace
}  // namespace heddle
