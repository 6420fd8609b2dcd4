// Chunks around a ring of ranks, in pieces: bound by bandwidth, at 2 (N - 1) steps.
#include "models/workloads/collective/algorithm.hpp"
#include "sw/collectives/layout.h"

namespace heddle {
namespace {

// Whether the whole tensor goes around once.
bool is_pass(const collective_case& what) {
  return what.collective == BOOT_BROADCAST || what.collective == BOOT_REDUCE;
}

// A broadcast begins at the root and ends in front of it, a reduction begins behind the root.
wire_load load(const collective_case& what, std::uint64_t place) {
  if (!is_pass(what)) return load_of_full_wires(what, place);
  const std::uint64_t first = what.root + (what.collective == BOOT_REDUCE ? 1 : 0);
  const std::uint64_t position = (place + 2 * what.ranks - first) % what.ranks;
  return {position + 1 == what.ranks ? 0.0 : 1.0, position == 0 ? 0.0 : 1.0};
}

// By cores, pieces take the channels in turn; a chain has one.
message_round pass(const collective_case& what) {
  message_round round = round_to_neighbor(what.ranks, static_cast<double>(what.ranks) - 1, 1);
  const std::uint64_t last = what.root + (what.collective == BOOT_REDUCE ? 0 : what.ranks - 1);
  round.messages.erase(round.messages.begin() + static_cast<std::ptrdiff_t>(last % what.ranks));
  round.is_pipeline = true;
  round.adds = what.collective == BOOT_REDUCE;
  round.most_channels = what.is_chained ? 1 : 0;
  return round;
}

collective_algorithm ring() {
  collective_algorithm of;
  of.name = "ring";
  of.number = BOOT_RING;
  of.meaning = "from neighbor to neighbor, in pieces";
  of.collectives = {BOOT_ALLREDUCE, BOOT_REDUCE_SCATTER, BOOT_ALLGATHER, BOOT_BROADCAST,
                    BOOT_REDUCE};
  of.may_be_chained = &chains_all;
  of.may_send_lines = [](boot_collective collective) {
    return collective == BOOT_ALLREDUCE || collective == BOOT_REDUCE_SCATTER ||
           collective == BOOT_ALLGATHER;
  };
  of.scratch = [](const boot_job& job, std::uint32_t ranks) -> std::uint64_t {
    const bool scatters = job.collective == BOOT_ALLREDUCE || job.collective == BOOT_REDUCE_SCATTER;
    if (job.collective == BOOT_REDUCE && ranks > 1) return receive_region_bytes(&job, 1);
    if (!scatters || ranks < 2) return 0;
    if ((job.flags & BOOT_JOB_CHAINED) != 0) return (ranks - 1) * receive_region_bytes(&job, ranks);
    return job.slots * job.slot_bytes;
  };
  of.reduced = [](const collective_case& what, const rank_inputs& inputs, std::size_t elements) {
    if (what.collective == BOOT_REDUCE)
      return golden_ring_reduce(what.type, what.op, inputs, elements, what.root);
    return golden_ring_allreduce(what.type, what.op, inputs, elements);
  };
  of.own_chunk = &ring_complete_chunk;
  of.load = &load;
  of.rounds = [](const collective_case& what) {
    const auto ranks = static_cast<double>(what.ranks);
    if (is_pass(what)) return std::vector<message_round>{pass(what)};
    const double times = (what.collective == BOOT_ALLREDUCE ? 2 : 1) * (ranks - 1);
    return std::vector<message_round>{round_to_neighbor(what.ranks, times, 1 / ranks)};
  };
  of.overlaps_rounds = true;
  of.cost = [](const collective_case&) { return 4.0; };
  return of;
}

HEDDLE_REGISTER_ALGORITHM(ring, ring());

}  // namespace
}  // namespace heddle
