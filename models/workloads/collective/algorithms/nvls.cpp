// Ranks load chunks that switches reduce on the way, and store chunks that switches multicast.
#include "models/workloads/collective/algorithm.hpp"

namespace heddle {
namespace {

// What the wires allow, per second of one rank's tensor: a rank sends (or gets) all of it once and
// 1/N of it twice. In all-reduce both directions carry that, and the control packets of the other;
// in its halves one direction has 1/N of the control packets alone.
double ceiling(const collective_case& of, const link_directory& net) {
  const auto ranks = static_cast<double>(of.ranks);
  if (of.collective == BOOT_ALLREDUCE) return net.duplex_payload_rate * ranks / (ranks + 1);
  if (net.simplex_payload_rate == 0) return 0;
  const double control = 1 / net.duplex_payload_rate - 1 / net.simplex_payload_rate;
  return 1 / (1 / net.simplex_payload_rate + control / ranks);
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
  of.reduced = [](const collective_case& what, const rank_inputs& inputs, std::size_t elements) {
    return golden_tree_allreduce(what.type, what.op, inputs, elements);
  };
  of.ceiling = [](const collective_case& what, const link_directory& net) {
    return what.collective == BOOT_BARRIER ? 0 : ceiling(what, net);
  };
  of.cost = [](const collective_case&) { return 2.0; };
  return of;
}

HEDDLE_REGISTER_ALGORITHM(nvls, nvls());

}  // namespace
}  // namespace heddle
