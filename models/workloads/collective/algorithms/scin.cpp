// Accelerators in the switches read the operands of all ranks and write the results (SCIN).
#include "models/workloads/collective/algorithm.hpp"
#include "models/workloads/collective/golden/golden_quantized.hpp"
#include "models/workloads/collective/golden/golden_tiers.hpp"
#include "models/workloads/collective/rooted_load.hpp"
#include "sw/collectives/layout.h"

namespace heddle {
namespace {

// Measured with yaml/scin_dgx8.yaml: quantization pays from 128 KiB on.
constexpr std::uint64_t quantized_bytes_from = std::uint64_t{128} << 10;

// A rank's links carry its operand towards the switch, once, and its result back, once. A
// reduce-scatter brings back the rank's chunk alone; an all-gather reads its chunk alone, and
// brings it those of the others.
wire_load load(const collective_case& of, std::uint64_t place) {
  const double chunk = 1 / static_cast<double>(of.ranks);
  switch (of.collective) {
    case BOOT_BARRIER:
      return {};
    case BOOT_BROADCAST:
    case BOOT_REDUCE:
      return load_of_root(of, place);
    case BOOT_REDUCE_SCATTER:
      return {1, chunk};
    case BOOT_ALLGATHER:
      return {chunk, 1 - chunk};
    default:
      return {1, 1};
  }
}

// There is an instruction a chunk, and they follow each other.
wire_load turns(const collective_case& of) {
  if (of.collective == BOOT_REDUCE_SCATTER) return {1, 1};
  if (of.collective == BOOT_ALLGATHER) return {0, 1};
  return load(of, of.collective == BOOT_REDUCE ? of.root : (of.root + 1) % of.ranks);
}

collective_algorithm scin() {
  collective_algorithm of;
  of.name = "scin";
  of.number = BOOT_SCIN;
  of.meaning = "accelerators in the switches read operands and write results";
  of.collectives = {BOOT_ALLREDUCE, BOOT_REDUCE_SCATTER, BOOT_ALLGATHER,
                    BOOT_BROADCAST, BOOT_REDUCE,         BOOT_BARRIER};
  of.types = {dtype::fp16, dtype::bf16, dtype::fp32, dtype::int32};
  of.needs = {"isa"};
  of.hardware = "in-switch accelerators";
  of.needs_setup = true;
  of.groups = {group_shape::blocks};
  of.window = window_rule::wave_tables;
  of.has_streams = true;
  of.ops = {reduce_op::sum, reduce_op::min, reduce_op::max};
  of.keeps_operands = true;
  of.reduced = [](const collective_case& what, const rank_inputs& inputs, std::size_t elements) {
    return what.order ? golden_tiers(what.type, what.op, inputs, elements, *what.order)
                      : golden_tree_allreduce(what.type, what.op, inputs, elements);
  };
  of.load = &load;
  of.turns = &turns;
  // To the switch and back for a signal, and there and back again for the operands and the results.
  of.ways = [](const collective_case& what) { return what.collective == BOOT_BARRIER ? 1.0 : 3.0; };
  // Measured with yaml/scin_dgx8.yaml: a barrier takes 658 ns here, 632 ns by NVLS.
  of.cost = [](const collective_case& what) { return what.collective == BOOT_BARRIER ? 2.5 : 1.0; };
  return of;
}

// Quantized bytes, scales included, over bytes of the tensor.
double quantized_share(const quantization& quant, dtype type) {
  const std::size_t bytes = quantized_bytes(quant, quant.block) + scale_bytes(quant, quant.block);
  return static_cast<double>(bytes) / static_cast<double>(quant.block * size_of(type));
}

collective_algorithm scin_inq() {
  collective_algorithm of = scin();
  of.name = "scin_inq";
  of.number = BOOT_SCIN_INQ;
  of.meaning = "the same with operands quantized to 8 or 4 bits";
  of.collectives = {BOOT_ALLREDUCE};
  of.types = {dtype::fp16, dtype::bf16, dtype::fp32};
  of.ops = {reduce_op::sum};
  of.is_quantized = true;
  of.scratch = [](const boot_job& job, std::uint32_t) {  // one rank quantizes, too
    return scales_offset(&job) + scales_bytes(&job);
  };
  of.reduced = [](const collective_case& what, const rank_inputs& inputs, std::size_t elements) {
    if (what.order) return golden_inq_stripes(what.quant, what.type, inputs, elements, *what.order);
    return golden_dequantize(what.quant,
                             golden_inq_allreduce(what.quant, what.type, inputs, elements),
                             elements, what.type);
  };
  of.load = [](const collective_case& what, std::uint64_t) {
    const double share = quantized_share(what.quant, what.type);
    return wire_load{share, share};
  };
  of.turns = nullptr;
  of.cost = [](const collective_case& what) {
    const bool pays = what.may_quantize && what.bytes >= quantized_bytes_from;
    return pays ? 0.5 : std::numeric_limits<double>::infinity();
  };
  return of;
}

HEDDLE_REGISTER_ALGORITHM(scin, scin());
HEDDLE_REGISTER_ALGORITHM(scin_inq, scin_inq());

}  // namespace
}  // namespace heddle
