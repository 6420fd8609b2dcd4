// Every rank sends chunk c to rank c and gets it back reduced: two steps, 2 (N - 1) messages. An
// all-to-all is one such step: no rank waits before it has sent everything.
#include "models/workloads/collective/algorithm.hpp"
#include "sw/collectives/layout.h"

namespace heddle {
namespace {

collective_algorithm direct() {
  collective_algorithm of;
  of.name = "direct";
  of.number = BOOT_DIRECT;
  of.meaning = "all to all: in two steps, or in one";
  of.collectives = {BOOT_ALLREDUCE, BOOT_ALLTOALL};
  of.may_be_chained = [](boot_collective collective) { return collective == BOOT_ALLTOALL; };
  of.scratch = [](const boot_job& job, std::uint32_t ranks) {
    if (job.collective == BOOT_ALLTOALL && ranks > 1) return receive_region_bytes(&job, 1);
    return (ranks - std::uint64_t{1}) * receive_region_bytes(&job, ranks);
  };
  of.reduced = [](const collective_case& what, const rank_inputs& inputs, std::size_t elements) {
    return golden_direct_allreduce(what.type, what.op, inputs, elements);
  };
  of.load = &load_of_full_wires;
  of.rounds = [](const collective_case& what) {
    const double chunk = 1 / static_cast<double>(what.ranks);
    const double times = what.collective == BOOT_ALLREDUCE ? 2 : 1;
    return std::vector<message_round>{round_to_all(what.ranks, times, chunk)};
  };
  of.cost = [](const collective_case& what) {
    return what.collective == BOOT_ALLTOALL ? 3.0 : 5.0;
  };
  return of;
}

HEDDLE_REGISTER_ALGORITHM(direct, direct());

}  // namespace
}  // namespace heddle
