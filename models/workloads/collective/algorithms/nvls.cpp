// Ranks load chunks that switches reduce on the way, and store chunks that switches multicast.
#include "models/workloads/collective/algorithm.hpp"
#include "models/workloads/collective/golden/golden_tiers.hpp"

namespace heddle {
namespace {

// A rank sends (or gets) all of the tensor once and 1/N of it twice. In an all-reduce both
// directions carry that; in its halves one carries all, the other 1/N.
wire_load load(const collective_case& of, std::uint64_t) {
  const double chunk = 1 / static_cast<double>(of.ranks);
  switch (of.collective) {
    case BOOT_BARRIER:
      return {};
    case BOOT_REDUCE_SCATTER:
      return {1, chunk};
    case BOOT_ALLGATHER:
      return {chunk, 1};
    default:
      return {1 + chunk, 1 + chunk};
  }
}

collective_algorithm nvls() {
  collective_algorithm of;
  of.name = "nvls";
  of.number = BOOT_NVLS;
  of.meaning = "switches multicast and reduce what ranks load and store";
  of.collectives = {BOOT_ALLREDUCE, BOOT_REDUCE_SCATTER, BOOT_ALLGATHER, BOOT_BARRIER};
  of.types = {dtype::fp16, dtype::bf16, dtype::fp32, dtype::int32};
  of.ops = {reduce_op::sum, reduce_op::min, reduce_op::max};
  of.needs = {"multimem", "multicast"};
  of.hardware = "a multimem unit and a multicast region";
  of.needs_region = true;
  of.window = window_rule::multimem_requests;
  of.reduced = [](const collective_case& what, const rank_inputs& inputs, std::size_t elements) {
    return what.order ? golden_tiers(what.type, what.op, inputs, elements, *what.order)
                      : golden_tree_allreduce(what.type, what.op, inputs, elements);
  };
  of.load = &load;
  // A barrier, the loads, the stores, and another barrier; measured with yaml/scin_dgx8.yaml.
  of.ways = [](const collective_case& what) {
    return what.collective == BOOT_BARRIER ? 1.0 : what.collective == BOOT_ALLREDUCE ? 7.0 : 5.0;
  };
  of.cost = [](const collective_case&) { return 2.0; };
  return of;
}

HEDDLE_REGISTER_ALGORITHM(nvls, nvls());

}  // namespace
}  // namespace heddle
