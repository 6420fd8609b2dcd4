// Halves, quarters, ... are exchanged with ever closer partners, then the way back.
#include "models/workloads/collective/algorithm.hpp"
#include "sw/collectives/layout.h"

namespace heddle {
namespace {

collective_algorithm halving_doubling() {
  collective_algorithm of;
  of.name = "halving_doubling";
  of.number = BOOT_HALVING_DOUBLING;
  of.meaning = "halves, quarters, ... with ever closer partners, and back";
  of.collectives = {BOOT_ALLREDUCE};
  of.ranks = rank_rule::power_of_two;
  of.scratch = [](const boot_job& job, std::uint32_t ranks) {
    std::uint64_t bytes = 0;
    for (std::uint64_t parts = 2; parts <= ranks; parts *= 2)
      bytes += receive_region_bytes(&job, parts);
    return bytes;
  };
  of.reduced = [](const collective_case& what, const rank_inputs& inputs, std::size_t elements) {
    return golden_halving_doubling_allreduce(what.type, what.op, inputs, elements);
  };
  of.ceiling = &ceiling_of_full_wires;
  return of;
}

HEDDLE_REGISTER_ALGORITHM(halving_doubling, halving_doubling());

}  // namespace
}  // namespace heddle
