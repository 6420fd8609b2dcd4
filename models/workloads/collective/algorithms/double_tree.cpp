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

// Up the trees, or down. The messages of a rank for a piece have channels of their own; in a chain
// those of a stream share one, to both children or up both trees.
message_round passes(const collective_case& what, bool is_up) {
  const auto ranks = static_cast<std::uint32_t>(what.ranks);
  const std::uint64_t root = what.collective == BOOT_ALLREDUCE ? 0 : what.root;
  const auto rank_at = [&](std::uint32_t position) {
    return static_cast<std::uint32_t>((position + root) % ranks);
  };
  constexpr double half = 1.0 / static_cast<double>(TREES);
  message_round round;
  round.is_pipeline = true;
  round.adds = is_up;
  round.times = double_tree_place_of(ranks, 0, 0).height;
  round.of_rank = TREES;
  round.most_channels = what.is_chained ? 1 : TREES;
  for (std::uint32_t tree = 0; tree < TREES; ++tree)
    for (std::uint32_t position = 1; position < ranks; ++position) {
      const std::uint32_t below = rank_at(position);
      const std::uint32_t above = rank_at(double_tree_place_of(ranks, tree, position).parent);
      round.messages.push_back({is_up ? below : above, is_up ? above : below, half});
    }
  return round;
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
  of.rounds = [](const collective_case& what) {
    std::vector<message_round> all;
    if (what.collective != BOOT_BROADCAST) all.push_back(passes(what, true));
    if (what.collective != BOOT_REDUCE) all.push_back(passes(what, false));
    return all;
  };
  of.cost = [](const collective_case&) { return 5.0; };
  return of;
}

HEDDLE_REGISTER_ALGORITHM(double_tree, double_tree());

}  // namespace
}  // namespace heddle
