// Every rank pushes its tensor once; trees of aggregators in the switches reduce and spread it.
#include "sw/collectives/tree.h"

#include "models/workloads/collective/algorithm.hpp"
#include "models/workloads/collective/golden/golden_tiers.hpp"
#include "models/workloads/collective/rooted_load.hpp"
#include "platform/tensor/accumulate.hpp"

namespace heddle {
namespace {

constexpr std::uint64_t alignment = 128;  // of streams (in-network collectives 4)

// The hardware does not do it; another algorithm will.
std::string limit(const collective_case& what) {
  if (what.collective == BOOT_BARRIER) return {};
  if (what.adds() && !can_accumulate(what.type)) return "type";
  const bool is_cut = what.collective == BOOT_ALLGATHER || what.collective == BOOT_REDUCE_SCATTER;
  const std::uint64_t parts = is_cut ? what.ranks : 1;
  return what.bytes % (parts * alignment) == 0 ? "" : "alignment";
}

// A rank's links carry the tensor once a direction: both directions of all ranks in an all-reduce,
// of the root in a reduction. An all-gather brings a rank the chunks of the others. The chunk that
// a rank pushes in an all-gather, or gets in a reduce-scatter, is not counted.
wire_load load(const collective_case& what, std::uint64_t place) {
  const auto ranks = static_cast<double>(what.ranks);
  switch (what.collective) {
    case BOOT_ALLREDUCE:
      return {1, 1};
    case BOOT_ALLGATHER:
      return {0, (ranks - 1) / ranks};
    case BOOT_BROADCAST:
    case BOOT_REDUCE:
      return load_of_root(what, place);
    case BOOT_REDUCE_SCATTER:
      return {1, 0};
    default:
      return {};
  }
}

collective_algorithm tree() {
  collective_algorithm of;
  of.name = "tree";
  of.number = BOOT_TREE;
  of.meaning = "trees of aggregators in switches reduce and multicast what ranks push once";
  of.collectives = {BOOT_ALLREDUCE, BOOT_REDUCE_SCATTER, BOOT_ALLGATHER,
                    BOOT_BROADCAST, BOOT_REDUCE,         BOOT_BARRIER};
  of.types = {dtype::fp16, dtype::bf16, dtype::fp32, dtype::int32};
  of.moves_any_type = true;
  of.setup_needs = {"aggregator"};
  of.hardware = "aggregators in switches";
  of.needs_setup = true;
  of.keeps_operands = true;
  of.has_trees = true;
  of.window = window_rule::buffers_of_trees;
  of.limit = &limit;
  of.scratch = [](const boot_job& job, std::uint32_t) -> std::uint64_t {
    return job.collective == BOOT_BARRIER ? alignment : 0;
  };
  of.reduced = [](const collective_case& what, const rank_inputs& inputs, std::size_t elements) {
    return what.order ? golden_tiers(what.type, what.op, inputs, elements, *what.order)
                      : golden_tree_allreduce(what.type, what.op, inputs, elements);
  };
  of.load = &load;
  of.ways = [](const collective_case&) { return 1.0; };
  of.cost = [](const collective_case&) { return 1.5; };
  return of;
}

// The overhead of an endpoint twice, as the literature's models count it.
collective_algorithm tree_two_phase() {
  collective_algorithm of = tree();
  of.name = "tree_two_phase";
  of.number = BOOT_TREE_TWO_PHASE;
  of.meaning = "a reduction to one rank by such a tree, and a multicast of the result by another";
  of.collectives = {BOOT_ALLREDUCE};
  of.cost = nullptr;
  return of;
}

HEDDLE_REGISTER_ALGORITHM(tree, tree());
HEDDLE_REGISTER_ALGORITHM(tree_two_phase, tree_two_phase());

}  // namespace
}  // namespace heddle
