// Whole tensors are exchanged with partners at half the ranks' distance, a quarter, ...: log2(N)
// steps, each with all of the data. For small tensors, where latency counts and bandwidth does not.
// Beyond a power of two as halving_doubling, which also does the gathering.
#include "models/workloads/collective/algorithm.hpp"
#include "models/workloads/collective/halving_load.hpp"
#include "sw/collectives/layout.h"

namespace heddle {
namespace {

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
  of.rounds = [](const collective_case& what) {
    return what.collective == BOOT_ALLGATHER ? rounds_of_halving(what) : rounds_of_doubling(what);
  };
  of.cost = [](const collective_case&) { return 5.0; };
  return of;
}

HEDDLE_REGISTER_ALGORITHM(recursive_doubling, recursive_doubling());

}  // namespace
}  // namespace heddle
