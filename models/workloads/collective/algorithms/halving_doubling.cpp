// Halves, quarters, ... are exchanged with ever closer partners, then the way back (Rabenseifner):
// 2 log2(N) steps. Either half alone scatters or gathers. Beyond a power of two, ranks without a
// partner join a neighbor: a step more at either end.
#include "models/workloads/collective/algorithm.hpp"
#include "models/workloads/collective/halving_load.hpp"
#include "sw/collectives/layout.h"

namespace heddle {
namespace {

collective_algorithm halving_doubling() {
  collective_algorithm of;
  of.name = "halving_doubling";
  of.number = BOOT_HALVING_DOUBLING;
  of.meaning = "halves, quarters, ... with ever closer partners, and back";
  of.collectives = {BOOT_ALLREDUCE, BOOT_REDUCE_SCATTER, BOOT_ALLGATHER};
  of.may_be_chained = &chains_all;
  of.scratch = [](const boot_job& job, std::uint32_t ranks) {
    std::uint32_t levels = 0;
    while (ranks >> levels > 1) ++levels;
    return job.collective == BOOT_ALLGATHER ? 0 : halving_region(&job, ranks, levels);
  };
  of.reduced = [](const collective_case& what, const rank_inputs& inputs, std::size_t elements) {
    return golden_halving_doubling_allreduce(what.type, what.op, inputs, elements);
  };
  of.load = &load_of_halving;
  // recursive_doubling gathers in the same steps.
  of.rounds = [](const collective_case& what) {
    return what.collective == BOOT_ALLGATHER ? std::vector<message_round>()
                                             : rounds_of_halving(what);
  };
  of.cost = [](const collective_case&) { return 5.0; };
  return of;
}

HEDDLE_REGISTER_ALGORITHM(halving_doubling, halving_doubling());

}  // namespace
}  // namespace heddle
