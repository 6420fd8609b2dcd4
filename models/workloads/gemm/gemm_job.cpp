#include "models/workloads/gemm/gemm_job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "models/workloads/collective/message_size.hpp"
#include "platform/services/compute_directory.hpp"
#include "platform/text/counted.hpp"
#include "platform/workload/boot_image.hpp"
#include "sw/collectives/layout.h"
#include "sw/kernels/gemm_layout.h"

namespace heddle {

boot_job make_gemm_job(const gemm_config& config, boot_algorithm algorithm, std::uint32_t tile,
                       std::uint64_t ranks, std::uint64_t window_bytes, std::uint32_t number) {
  constexpr std::uint32_t slots = 8;
  const rank_memory layout(window_bytes);
  boot_job job{};
  job.number = number;
  job.collective = config.kernel;
  job.algorithm = algorithm;
  job.dtype = BOOT_FP64;
  job.op = BOOT_SUM;
  job.iterations = static_cast<std::uint32_t>(config.iterations);
  job.slots = slots;
  job.tile = tile;
  job.element_bytes = sizeof(double);
  job.elements = std::uint64_t{tile} * tile;
  job.data = layout.data;
  const std::uint64_t end = layout.data + GEMM_TILES * gemm_tile_bytes(&job);
  job.scratch = (end + layout.alignment - 1) / layout.alignment * layout.alignment;
  job.slot_bytes = piece_of_ring(ranks, gemm_tile_bytes(&job));
  return job;
}

// The reduction by copies receives tiles, or parts of one, in two places.
std::uint64_t memory_of_gemm(const boot_job& job, std::uint64_t ranks) {
  const bool receives =
      job.collective == BOOT_FUSED_CONCAT_LINEAR && job.algorithm == BOOT_MESH_TREE && ranks > 1;
  const std::uint64_t whole = round_up_to_64(gemm_tile_bytes(&job));
  return job.scratch + (receives ? 2 * std::min(job.slot_bytes, whole) : 0);
}

gemm_job::gemm_job(const workload_context& context, const gemm_config& config, const boot_job& job)
    : context_(context),
      config_(config),
      job_(job),
      matrices_(config, context.cores.ranks.size(), job, context.sim.settings().seed + job.number) {
}

void gemm_job::post() {
  const std::uint64_t offset = memory_of(context_.cores).job;
  for (rank_core* each : context_.cores.ranks)
    each->debug_write(each->resources().window + offset, &job_, sizeof job_);
  if (context_.sim.settings().carries_data) matrices_.write(context_.cores.ranks);
}

verdict gemm_job::check(const job_times&) {
  if (!context_.sim.settings().carries_data) return verdict::not_checked;
  expected_tensor expected;
  expected.what = fmt::format("{} of {} B", name_of_kernel(config_.kernel), bytes());
  expected.type = dtype::fp64;
  expected.data = job_.data;
  expected.for_rank = [this](std::size_t rank) { return matrices_.for_rank(rank); };
  const rank_comparison found = compare_ranks(context_, expected);
  max_ulp_ = found.max_ulp;
  return found.outcome;
}

void gemm_job::describe(workload_result& result) const {
  const double peak = context_.sim.service<compute_directory>().flops_per_second;
  const double time = seconds(result.time()), flops = matrices_.flops();
  const double utilization = peak > 0 && time > 0 ? flops / (peak * time) : 0;
  result.name = name_of_kernel(config_.kernel);
  result.algorithm = name_of_version(static_cast<boot_algorithm>(job_.algorithm));
  result.bytes = result.work = bytes();
  result.size = fmt::format("{0} x {0}", job_.tile);
  result.size_phrase = "tiles of " + result.size;
  result.size_heading = "tile";
  result.subject = fmt::format("{}, {}, fp64, {} along K", result.name,
                               counted(result.ranks, "rank"), counted(config_.iterations, "step"));
  result.cells = {{"flop/s", 14, fmt::format("{:>8.1f} Gflop/s", 1e-9 * flops / time)},
                  {"of peak", 10, fmt::format("{:>8.1f} %", 100 * utilization)}};
  const double rate = time > 0 ? static_cast<double>(bytes()) / time : 0;
  result.describe = [=, tile = job_.tile, steps = config_.iterations,
                     max_ulp = max_ulp_](nlohmann::ordered_json& row) {
    row["dtype"] = "fp64";
    row["op"] = "sum";
    row["algbw_Bps"] = rate;
    row["busbw_Bps"] = rate;
    row["ceiling_Bps"] = 0.0;
    row["law_s"] = 0.0;
    row["max_ulp"] = max_ulp;
    row["relative_error"] = 0.0;
    row["tile"] = tile;
    row["steps"] = steps;
    row["flops"] = flops;
    row["utilization"] = utilization;
  };
}

}  // namespace heddle
