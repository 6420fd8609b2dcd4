// Rings of a torus, a dimension after the other: sum of (side - 1) steps to scatter or to gather. A
// broadcast goes both ways around: sum of (side / 2) steps.
#include <algorithm>

#include "models/workloads/collective/algorithm.hpp"
#include "models/workloads/collective/pipeline_message.hpp"
#include "sw/collectives/torus.h"

namespace heddle {
namespace {

// Of a broadcast: a segment fills every step of the way once more; the core's work for one takes
// longer than the engine's.
std::uint64_t segment(const collective_case& of, const link_directory& net) {
  constexpr std::uint64_t line_bytes = 64, by_core = 32 * 1024, by_engine = 16 * 1024,
                          largest = 2 * 1024 * 1024;
  // Measured on tori of 16 and 64 ranks, with links of 50 and 900 GB/s.
  constexpr double weight = 1.0 / 8;
  const std::uint64_t share = of.is_chained ? std::clamp(of.bytes / 1024, by_engine, largest)
                                            : std::clamp(of.bytes / 512, by_core, largest);
  const std::uint64_t whole = (share + line_bytes - 1) / line_bytes * line_bytes;
  if (!of.is_acknowledged) return whole;
  return std::max(whole, message_of_pipeline(of.bytes, net.narrowest(), net, weight));
}

collective_algorithm on_torus() {
  collective_algorithm of;
  of.name = "torus";
  of.number = BOOT_TORUS;
  of.meaning = "on a torus: around the rings of one dimension after the other";
  of.collectives = {BOOT_ALLREDUCE, BOOT_REDUCE_SCATTER, BOOT_ALLGATHER, BOOT_BROADCAST};
  of.may_be_chained = &chains_all;
  of.needs_sides = true;
  of.scratch = [](const boot_job& job, std::uint32_t) -> std::uint64_t {
    const torus shape = torus_of(job.sides);
    const bool adds = job.collective == BOOT_ALLREDUCE || job.collective == BOOT_REDUCE_SCATTER;
    std::uint64_t bytes = 0;
    for (std::uint32_t stripe = 0; adds && stripe < job.slots; ++stripe)
      bytes += torus_slots(&job, &shape, stripe, shape.dimensions);
    return bytes;
  };
  of.message = &segment;
  of.reduced = [](const collective_case& what, const rank_inputs& inputs, std::size_t elements) {
    return golden_torus_allreduce(what.type, what.op, inputs, elements, what.sides, what.stripes);
  };
  return of;
}

HEDDLE_REGISTER_ALGORITHM(torus, on_torus());

}  // namespace
}  // namespace heddle
