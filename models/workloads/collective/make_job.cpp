#include "models/workloads/collective/make_job.hpp"

#include <algorithm>

#include "models/workloads/collective/message_size.hpp"
#include "platform/workload/rank_memory.hpp"
#include "sw/collectives/torus.h"

namespace heddle {
namespace {

std::uint64_t rounded_up(std::uint64_t value, std::uint64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

// As firmware is told.
std::uint32_t groups_of(const collective_case& of) {
  switch (of.groups.shape) {
    case group_shape::rows:
      return BOOT_ROWS;
    case group_shape::columns:
      return BOOT_COLUMNS;
    default:
      return static_cast<std::uint32_t>(of.groups.count);
  }
}

}  // namespace

std::uint64_t slot_bytes(const collective_config& config, const collective_algorithm& algorithm,
                         const collective_case& of, const link_directory& net) {
  constexpr std::uint64_t line_bytes = 64, longest = 1ULL << 30;
  if (config.slot_bytes != 0) return config.slot_bytes;
  if (config.pieces == 0) return message_size(algorithm, of, net);
  const std::uint64_t piece = of.bytes / (of.ranks * config.pieces) + size_of(of.type);
  return std::min(rounded_up(piece, line_bytes), longest);
}

boot_job make_job(const collective_config& config, const collective_algorithm& algorithm,
                  const collective_case& of, const link_directory& net, std::uint64_t window_bytes,
                  std::uint32_t number) {
  const rank_memory layout(window_bytes);
  boot_job job{};
  job.number = number;
  job.collective = config.collective;
  job.algorithm = algorithm.number;
  job.dtype = static_cast<std::uint32_t>(config.type);
  job.op = static_cast<std::uint32_t>(of.adds() ? config.op : reduce_op::sum);
  job.root = static_cast<std::uint32_t>(config.root);
  job.iterations =
      static_cast<std::uint32_t>(algorithm.has_trees ? config.trees : config.iterations);
  job.slots = static_cast<std::uint32_t>(config.slots);
  if (algorithm.needs_pods) job.slots = static_cast<std::uint32_t>(of.pod);
  if (algorithm.has_streams) job.slots = static_cast<std::uint32_t>(config.streams);
  if (of.groups.shape != group_shape::all) job.groups = groups_of(of);
  if (algorithm.needs_sides) {
    job.slots = static_cast<std::uint32_t>(config.stripes);
    for (std::size_t i = config.sides.size(); i-- > 0;)
      job.sides = job.sides << TORUS_SIDE_BITS | static_cast<std::uint32_t>(config.sides[i]);
  }
  job.element_bytes = size_of(config.type);
  job.elements = of.bytes / job.element_bytes;
  job.data = layout.data;
  job.scratch = rounded_up(layout.data + of.bytes, layout.alignment);
  job.slot_bytes = slot_bytes(config, algorithm, of, net);
  job.flags = (config.is_on_demand ? BOOT_JOB_ON_DEMAND : 0) |
              (config.has_single_addresses ? BOOT_JOB_SINGLE_ADDRESS : 0) |
              (config.is_chained ? BOOT_JOB_CHAINED : 0);
  job.quant_bits = of.may_quantize || algorithm.is_quantized ? config.quant.bits : 0;
  job.quant_block = static_cast<std::uint32_t>(config.quant.block);
  return job;
}

std::uint64_t memory_of(const boot_job& job, std::uint64_t ranks) {
  const collective_algorithm& by = algorithm_registry::instance().of(job.algorithm);
  return job.scratch + (by.scratch ? by.scratch(job, static_cast<std::uint32_t>(ranks)) : 0);
}

}  // namespace heddle
