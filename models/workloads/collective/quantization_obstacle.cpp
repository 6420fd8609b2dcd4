#include "models/workloads/collective/quantization_obstacle.hpp"

#include <fmt/format.h>

#include "models/inc/isa/isa.hpp"
#include "models/workloads/collective/vectors_of_ranks.hpp"

namespace heddle {

std::string obstacle_to_quantization(const collective_case& job, const workload_cores& cores,
                                     const simulation& sim) {
  const std::size_t bytes = job.quant.block * size_of(job.type);
  for (const vector_unit* each : vectors_of(cores, sim))
    if (each->block_bytes() % bytes != 0)
      return fmt::format(
          "{} computes blocks of {} B (`block`), {} elements of {} that share a scale "
          "(`quantization`) have {} B: `block` has to be a multiple of that",
          each->path(), each->block_bytes(), job.quant.block, name_of(job.type), bytes);
  for (const unit* each : sim.units()) {
    const auto* const accelerator = dynamic_cast<const isa_unit*>(each);
    std::string obstacle = accelerator ? accelerator->obstacle_to(job.quant) : "";
    if (!obstacle.empty()) return obstacle;
  }
  return {};
}

}  // namespace heddle
