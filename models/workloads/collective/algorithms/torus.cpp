// Rings of a torus, a dimension after the other: sum of (side - 1) steps to scatter or to gather. A
// broadcast goes both ways around: sum of (side / 2) steps.
#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

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

// To the next rank along a dimension, up or down.
std::uint32_t neighbor_of(const torus& shape, std::uint32_t rank, std::uint32_t dimension,
                          bool is_down) {
  std::uint32_t stride = 1;
  for (std::uint32_t i = dimension + 1; i < shape.dimensions; ++i) stride *= shape.side[i];
  const std::uint32_t side = shape.side[dimension], place = rank / stride % side;
  const std::uint32_t next = (place + (is_down ? side - 1 : 1)) % side;
  return rank + next * stride - place * stride;
}

// Stripes go along different dimensions at a time. Where sides differ, those that go along a
// shorter one are through earlier.
message_round round_along(const collective_case& what, const torus& shape, std::uint32_t turn,
                          std::vector<double>& shares) {
  message_round round;
  round.times = 0;
  round.of_rank = static_cast<std::uint32_t>(what.stripes);
  for (std::uint32_t stripe = 0; stripe < what.stripes; ++stripe) {
    const std::uint32_t dimension = torus_dimension(&shape, stripe, turn);
    shares[stripe] /= shape.side[dimension];
    round.times = std::max(round.times, shape.side[dimension] - 1.0);
    for (std::uint32_t rank = 0; rank < what.ranks; ++rank)
      round.messages.push_back(
          {rank, neighbor_of(shape, rank, dimension, stripe >= shape.dimensions), shares[stripe]});
  }
  return round;
}

std::vector<message_round> rounds(const collective_case& what) {
  std::vector<message_round> all;
  if (what.collective == BOOT_BROADCAST) return all;
  torus shape = {static_cast<std::uint32_t>(what.sides.size()), {1, 1, 1}};
  for (std::size_t i = 0; i < what.sides.size(); ++i)
    shape.side[i] = static_cast<std::uint32_t>(what.sides[i]);
  std::vector<double> shares(what.stripes, 1 / static_cast<double>(what.stripes));
  for (std::uint32_t turn = 0; turn < shape.dimensions; ++turn) {
    message_round round = round_along(what, shape, turn, shares);
    if (what.collective == BOOT_ALLREDUCE) round.times *= 2;
    all.push_back(std::move(round));
  }
  return all;
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
  of.rounds = &rounds;
  // A broadcast goes both ways around. Measured on yaml/torus.yaml, with sides of 4 and 4 and of 5
  // and 3: longer ones go faster by a ring of all ranks.
  of.cost = [](const collective_case& what) {
    constexpr std::uint64_t longest_broadcast = std::uint64_t{512} << 10;
    if (what.collective != BOOT_BROADCAST) return 5.0;
    return what.bytes <= longest_broadcast ? 3.2 : std::numeric_limits<double>::infinity();
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
