// Every rank sends chunk c to rank c and gets it back reduced: two steps, 2 (N - 1) messages. An
// all-to-all is one such step: no rank waits before it has sent everything.
#include "models/workloads/collective/algorithm.hpp"
#include "sw/collectives/layout.h"

namespace heddle {
namespace {

// Measured with yaml/ring_allreduce.yaml: 2 (N - 1) messages of the direct algorithm go in two
// steps, those of the ring in as many steps; with 4, 6 and 8 ranks the ring is ahead above about 3,
// 5 and 7 MiB, with 2 at any size.
constexpr std::uint64_t ring_bytes_per_rank = std::uint64_t{1} << 20;

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
  of.cost = [](const collective_case& what) {
    if (what.collective == BOOT_ALLTOALL) return 3.0;
    return what.ranks > 2 && what.bytes < what.ranks * ring_bytes_per_rank ? 3.0 : 5.0;
  };
  return of;
}

HEDDLE_REGISTER_ALGORITHM(direct, direct());

}  // namespace
}  // namespace heddle
