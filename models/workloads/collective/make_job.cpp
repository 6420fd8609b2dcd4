#include "models/workloads/collective/make_job.hpp"

#include "models/workloads/collective/slot_size.hpp"
#include "platform/workload/rank_memory.hpp"
#include "sw/collectives/layout.h"

namespace heddle {
namespace {

std::uint64_t rounded_up(std::uint64_t value, std::uint64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

}  // namespace

boot_job make_job(const collective_config& config, std::uint64_t ranks, std::uint64_t window_bytes,
                  std::uint32_t number, std::uint64_t bytes) {
  const rank_memory layout(window_bytes);
  const auto behind = [&](std::uint64_t data) {
    return rounded_up(layout.data + data, layout.alignment);
  };
  boot_job job{};
  job.number = number;
  job.collective = config.collective;
  job.algorithm = config.algorithm;
  job.dtype = static_cast<std::uint32_t>(config.type);
  job.op = static_cast<std::uint32_t>(config.op);
  job.root = static_cast<std::uint32_t>(config.root);
  job.iterations = static_cast<std::uint32_t>(config.iterations);
  job.slots = static_cast<std::uint32_t>(config.slots);
  job.element_bytes = size_of(config.type);
  job.elements = bytes / job.element_bytes;
  job.data = layout.data;
  job.scratch = behind(bytes);
  job.slot_bytes = slot_size(config, ranks, bytes);
  job.on_demand = config.is_on_demand ? 1 : 0;
  const bool may_quantize = config.may_quantize || config.algorithm == BOOT_SCIN_INQ;
  job.quant_bits = may_quantize ? config.quant.bits : 0;
  job.quant_block = static_cast<std::uint32_t>(config.quant.block);
  return job;
}

std::uint64_t memory_of(const boot_job& job, std::uint64_t ranks) {
  return job.scratch + scratch_bytes(&job, static_cast<std::uint32_t>(ranks));
}

}  // namespace heddle
