#include "tests/firmware/workload.hpp"

#include "models/workloads/collective/algorithm.hpp"
#include "models/workloads/collective/golden/golden.hpp"
#include "platform/firmware/firmware_registry.hpp"
#include "platform/tensor/random.hpp"
#include "sw/collectives/torus.h"

namespace heddle::test {
namespace {

using tensors = std::vector<std::vector<std::byte>>;

// Bytes that the rank must have at an offset; what lies around them does not matter.
struct expectation {
  std::uint64_t offset;
  tensor_bytes bytes;
};

rank_inputs pointers(const tensors& inputs) {
  rank_inputs result;
  for (const auto& each : inputs) result.push_back(each.data());
  return result;
}

const collective_algorithm& algorithm_of(const workload& work) {
  const algorithm_registry& all = algorithm_registry::instance();
  if (const auto& wanted = all.of(work.algorithm); wanted.does(work.collective)) return wanted;
  return all.of(work.collective == BOOT_BARRIER ? BOOT_DISSEMINATION : BOOT_WRITE);
}

tensor_bytes allreduced(const workload& work, const rank_inputs& inputs) {
  collective_case what;
  what.collective = work.collective;
  what.root = work.root;
  what.type = static_cast<dtype>(work.type);
  what.op = static_cast<reduce_op>(work.op);
  what.ranks = inputs.size();
  what.stripes = work.slots;
  const torus shape = torus_of(work.sides);
  what.sides.assign(shape.side, shape.side + shape.dimensions);
  return algorithm_of(work).reduced(what, inputs, work.elements);
}

// Chunks may differ in length.
tensor_bytes gathered(const workload& work, const tensors& inputs) {
  const std::size_t width = size_of(static_cast<dtype>(work.type));
  tensor_bytes result;
  for (std::size_t rank = 0; rank < inputs.size(); ++rank) {
    const element_range chunk = chunk_range(work.elements, inputs.size(), rank);
    const auto first = inputs[rank].begin() + static_cast<std::ptrdiff_t>(chunk.begin * width);
    result.insert(result.end(), first, first + static_cast<std::ptrdiff_t>(chunk.count * width));
  }
  return result;
}

expectation own_chunk(const workload& work, const tensors& inputs, std::size_t rank) {
  const std::size_t width = size_of(static_cast<dtype>(work.type));
  const auto place_of = algorithm_of(work).own_chunk;
  const std::size_t own = place_of ? place_of(inputs.size(), rank) : rank;
  const auto chunk = chunk_range(work.elements, inputs.size(), own);
  const tensor_bytes all = allreduced(work, pointers(inputs));
  const auto first = all.begin() + static_cast<std::ptrdiff_t>(chunk.begin * width);
  return {chunk.begin * width, {first, first + static_cast<std::ptrdiff_t>(chunk.count * width)}};
}

expectation expected_at(const workload& work, const tensors& inputs, std::size_t rank) {
  const auto type = static_cast<dtype>(work.type);
  switch (work.collective) {
    case BOOT_ALLREDUCE:
      return {0, allreduced(work, pointers(inputs))};
    case BOOT_REDUCE_SCATTER:
      return own_chunk(work, inputs, rank);
    case BOOT_REDUCE:
      if (rank != work.root) return {0, {}};  // partial sums
      return {0, allreduced(work, pointers(inputs))};
    case BOOT_ALLTOALL:
      return {0, golden_alltoall(type, pointers(inputs), work.elements, rank)};
    case BOOT_ALLGATHER:
      return {0, gathered(work, inputs)};
    case BOOT_BROADCAST:
      return {0, golden_broadcast(type, pointers(inputs), work.elements, work.root)};
    case BOOT_BARRIER:
      return {0, inputs[rank]};
    default:
      return {0, inputs[rank == 1 && work.iterations > 0 ? 0 : rank]};  // rank 0 gets its own back
  }
}

std::string difference(const expectation& expected, const std::byte* data) {
  for (std::size_t i = 0; i < expected.bytes.size(); ++i) {
    if (data[expected.offset + i] == expected.bytes[i]) continue;
    return "wrong data, first at byte " + std::to_string(expected.offset + i);
  }
  return {};
}

template <class Enumeration>
Enumeration pick(std::mt19937_64& random, int count) {
  return static_cast<Enumeration>(random() % static_cast<unsigned>(count));
}

// Any that this stand-in for a platform has the hardware for.
boot_algorithm pick_algorithm(std::mt19937_64& random, boot_collective collective) {
  std::vector<boot_algorithm> able;
  for (const collective_algorithm& each : algorithm_registry::instance().all()) {
    if (each.ranks == rank_rule::any && !each.needs_sides && !each.needs_setup &&
        each.does(collective))
      able.push_back(static_cast<boot_algorithm>(each.number));
  }
  return able.empty() ? BOOT_RING : able[random() % able.size()];
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const workload& work) {
  return out << "collective " << work.collective << " algorithm " << work.algorithm << " dtype "
             << work.type << " op " << work.op << " elements " << work.elements << " slots "
             << work.slots << " of " << work.slot_bytes << " root " << work.root << " iterations "
             << work.iterations << " flags " << work.flags;
}

cluster_job make_job(const workload& work, std::uint32_t ranks, std::uint64_t seed) {
  const auto type = static_cast<dtype>(work.type);
  cluster_job result;
  result.job.collective = work.collective;
  result.job.algorithm = algorithm_of(work).number;
  result.job.dtype = work.type;
  result.job.op = work.op;
  result.job.root = work.root;
  result.job.iterations = work.iterations;
  result.job.slots = work.slots;
  result.job.sides = work.sides;
  result.job.elements = work.elements;
  result.job.element_bytes = size_of(type);
  result.job.slot_bytes = work.slot_bytes;
  const bool chains = algorithm_of(work).chains(work.collective);
  const bool is_chained = chains && (work.flags & BOOT_JOB_CHAINED) != 0;
  if (is_chained) result.job.flags |= BOOT_JOB_CHAINED;
  if (!is_chained && algorithm_of(work).sends_lines(work.collective))
    result.job.flags |= work.flags & BOOT_JOB_IN_PACKET;
  if ((result.job.flags & BOOT_JOB_IN_PACKET) == 0)
    result.job.flags |= work.flags & BOOT_JOB_ORDERED;
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    result.inputs.emplace_back(work.elements * size_of(type));
    fill_random(type, result.inputs.back().data(), work.elements, seed, rank);
  }
  result.check = [work, inputs = result.inputs](std::uint32_t rank, const std::byte* data) {
    return difference(expected_at(work, inputs, rank), data);
  };
  return result;
}

workload random_workload(std::mt19937_64& random, std::uint32_t ranks) {
  workload work;
  constexpr boot_collective all[] = {BOOT_ALLREDUCE, BOOT_REDUCE_SCATTER, BOOT_ALLGATHER,
                                     BOOT_BROADCAST, BOOT_REDUCE,         BOOT_ALLTOALL,
                                     BOOT_BARRIER,   BOOT_P2P_LATENCY,    BOOT_P2P_BANDWIDTH};
  work.collective = all[random() % std::size(all)];
  if (random() % 3 == 0) work.collective = BOOT_ALLREDUCE;
  work.algorithm = pick_algorithm(random, work.collective);
  work.flags = random() % 8 * BOOT_JOB_CHAINED;
  work.type = pick<boot_dtype>(random, BOOT_INT32 + 1);
  work.op = pick<boot_op>(random, BOOT_MAX + 1);
  work.elements = 1 + random() % (random() % 3 == 0 ? 2 * ranks : 3000);
  if (work.collective == BOOT_ALLTOALL) work.elements = ranks * (1 + work.elements / ranks);
  work.slots = static_cast<std::uint32_t>(1 + random() % 8);
  work.slot_bytes = 64 * (1 + random() % 4);
  work.root = static_cast<std::uint32_t>(random() % ranks);
  work.iterations = static_cast<std::uint32_t>(random() % 5);
  return work;
}

std::string run_collectives(const cluster_options& options, const std::vector<workload>& works,
                            std::uint64_t seed) {
  random_timing times(seed);
  cluster under_test(options, times, firmware_registry::instance().find("collectives"));
  std::vector<cluster_job> jobs;
  jobs.reserve(works.size());
  for (const workload& each : works)
    jobs.push_back(make_job(each, options.ranks, seed + jobs.size()));
  return under_test.run(std::move(jobs));
}

}  // namespace heddle::test
