// Two complementary binary trees, half of the tensor each: log2(N) steps up, log2(N) steps down.
#include <algorithm>

#include "models/workloads/collective/algorithm.hpp"
#include "models/workloads/collective/pipeline_message.hpp"
#include "sw/collectives/double_tree.h"
#include "sw/collectives/layout.h"

namespace heddle {
namespace {

// A segment fills the trees once more at every level, so it should be short against a half. The
// work for a segment is what bounds it below: that of an engine takes a few ns, and 2 us where the
// memory is 100 ns away. The streams of a rank take turns segment by segment: long ones keep each
// other waiting.
//
// That is so where nobody waits for acknowledgments. Streams that do, segment after segment, want
// longer ones.
std::uint64_t segment(const collective_case& of, const link_directory& net) {
  constexpr std::uint64_t line_bytes = 64, by_core = 64 * 1024, by_engine = 32 * 1024,
                          largest = 512 * 1024;
  const std::uint64_t share =
      std::clamp(of.bytes / 512, of.is_chained ? by_engine : by_core, largest);
  const std::uint64_t whole = (share + line_bytes - 1) / line_bytes * line_bytes;
  if (!of.is_acknowledged) return whole;
  // Measured with 1 to 64 MiB on 8 to 64 ranks that send 100 to 900 GB/s, and by cores on 4 to 16.
  constexpr double weight = 1.0 / 8;
  return std::max(whole, message_of_pipeline(of.bytes, of.payload_rate, net, weight));
}

// Against a ring, in broadcasts and reductions. Measured with yaml/ring_allreduce.yaml,
// yaml/leaf_spine.yaml and yaml/tree_allreduce.yaml. By cores, 4, 8 and 16 ranks take 0.7 to 0.9,
// 0.5 to 0.8 and 0.3 to 0.5 of the time of a ring up to 256 KiB; at the limits here they take as
// long, over shared uplinks earlier than at one switch. A ring takes a step a rank, so the limit
// grows with their number. A chain waits for less: from 4 ranks on it is ahead on all of these
// networks up to 4 MiB, and with 4 and 16 ranks at one switch up to 64 MiB.
bool beats_ring(const collective_case& of) {
  constexpr std::uint64_t least_ranks = 4, longest_in_chains = std::uint64_t{4} << 20,
                          longest_by_rank = std::uint64_t{128} << 10;
  if (of.ranks < least_ranks) return false;
  return of.bytes <= (of.is_chained ? longest_in_chains : longest_by_rank * of.ranks);
}

// Half of the tensor goes to or from the parent and each child of a rank in each tree: up the trees
// in a reduction, down in a broadcast, both in an all-reduce.
wire_load load(const collective_case& what, std::uint64_t place) {
  const auto ranks = static_cast<std::uint32_t>(what.ranks);
  const std::uint64_t root = what.collective == BOOT_ALLREDUCE ? 0 : what.root;
  const auto position = static_cast<std::uint32_t>((place + what.ranks - root) % what.ranks);
  double of_children = 0;
  for (std::uint32_t tree = 0; tree < TREES; ++tree)
    of_children += 0.5 * double_tree_place_of(ranks, tree, position).children;
  const wire_load up = {position == 0 ? 0.0 : 1.0, of_children}, down = {up.in, up.out};
  if (what.collective == BOOT_REDUCE) return up;
  if (what.collective == BOOT_BROADCAST) return down;
  return {up.out + down.out, up.in + down.in};
}

collective_algorithm double_tree() {
  collective_algorithm of;
  of.name = "double_tree";
  of.number = BOOT_DOUBLE_TREE;
  of.meaning = "up and down two binary trees, half of the tensor each, in segments";
  of.collectives = {BOOT_ALLREDUCE, BOOT_BROADCAST, BOOT_REDUCE};
  of.may_be_chained = &chains_all;
  of.scratch = [](const boot_job& job, std::uint32_t ranks) {
    const bool adds = job.collective != BOOT_BROADCAST;
    return adds && ranks > 1 ? 2 * receive_region_bytes(&job, 2) : 0;
  };
  of.message = &segment;
  of.reduced = [](const collective_case& what, const rank_inputs& inputs, std::size_t elements) {
    const std::size_t root = what.collective == BOOT_REDUCE ? what.root : 0;
    return golden_double_tree_reduce(what.type, what.op, inputs, elements, root);
  };
  of.load = &load;
  of.cost = [](const collective_case& what) {
    const bool is_best = what.collective != BOOT_ALLREDUCE && beats_ring(what);
    return is_best ? 3.5 : std::numeric_limits<double>::infinity();
  };
  return of;
}

HEDDLE_REGISTER_ALGORITHM(double_tree, double_tree());

}  // namespace
}  // namespace heddle
