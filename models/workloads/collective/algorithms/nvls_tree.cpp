// Pods of ranks behind switches with NVLS, and trees of aggregators between the pods.
#include "models/workloads/collective/algorithm.hpp"
#include "models/workloads/collective/golden/golden_tiers.hpp"
#include "platform/tensor/accumulate.hpp"

namespace heddle {
namespace {

// Its own pod's vector goes to the switch, its own part of the sum comes back; and the other way.
wire_load load_in_pod(const collective_case& what) {
  const double whole = 1 + 1 / static_cast<double>(what.pod);
  return {whole, whole};
}

// The rank's part of the vector, through the trees between pods.
wire_load load_of_trees(const collective_case& what) {
  const double part = 1 / static_cast<double>(what.pod);
  return {part, part};
}

collective_algorithm nvls_tree() {
  collective_algorithm of;
  of.name = "nvls_tree";
  of.number = BOOT_NVLS_TREE;
  of.meaning = "switches of a pod reduce and multicast, trees of aggregators add the pods";
  of.collectives = {BOOT_ALLREDUCE};
  of.types = {dtype::fp16, dtype::bf16, dtype::fp32, dtype::int32};
  of.needs = {"multimem", "multicast"};
  of.setup_needs = {"aggregator"};
  of.hardware = "multimem units, multicast regions and aggregators in switches";
  of.needs_setup = true;
  of.needs_pods = true;
  of.has_trees = true;
  of.limit = [](const collective_case& what) -> std::string {
    constexpr std::uint64_t alignment = 128;  // of streams (in-network collectives 4)
    if (!can_accumulate(what.type)) return "type";
    if (what.op > reduce_op::max) return "operator";
    return what.bytes % alignment == 0 ? "" : "alignment";
  };
  of.load_in_pod = &load_in_pod;
  of.load_of_trees = &load_of_trees;
  of.ways = [](const collective_case&) { return 1.0; };
  of.ways_in_pod = 7;  // as NVLS
  of.cost = [](const collective_case&) { return 1.4; };
  of.reduced = [](const collective_case& what, const rank_inputs& inputs, std::size_t elements) {
    return golden_tiers(what.type, what.op, inputs, elements,
                        what.order ? *what.order : reduction_order());
  };
  return of;
}

HEDDLE_REGISTER_ALGORITHM(nvls_tree, nvls_tree());

}  // namespace
}  // namespace heddle
