// The kind of workload that multiplies matrices on a mesh of tiles.
#include <fmt/format.h>

#include <algorithm>

#include "models/workloads/check_firmware.hpp"
#include "models/workloads/gemm/gemm_config.hpp"
#include "models/workloads/gemm/gemm_job.hpp"
#include "models/workloads/mesh_order.hpp"
#include "models/workloads/mesh_ranks.hpp"
#include "platform/number/power_of_two.hpp"
#include "platform/text/quantity.hpp"
#include "platform/workload/memory_room.hpp"

namespace heddle {
namespace {

class gemm_workload final : public workload {
 public:
  explicit gemm_workload(gemm_config config) : config_(std::move(config)) {}

  void fit(const workload_context& context) override;
  std::uint32_t jobs() const override;
  std::unique_ptr<workload_job> prepare(std::uint32_t index, std::uint32_t number) override;
  std::vector<std::string> algorithms() const override;
  std::string note() const override;
  std::uint64_t expected_work() const override;

 private:
  void check_hardware() const;
  void check_job(const boot_job& job) const;
  boot_job job_of(boot_algorithm algorithm, std::uint32_t tile, std::uint32_t number) const;

  gemm_config config_;
  const workload_context* context_ = nullptr;
};

void gemm_workload::check_hardware() const {
  const std::vector<rank_core*>& ranks = context_->cores.ranks;
  for (const rank_core* each : ranks)
    for (const char* const needed : {"network_interface", "gemm_engine", "memory"})
      if (!each->has(needed))
        throw user_error(config_.place,
                         fmt::format("{} needs a mesh of tiles with GEMM engines and memory tiles, "
                                     "{} has no `{}`",
                                     name_of_kernel(config_.kernel), each->rank_path(), needed));
  if (const std::string obstacle = obstacle_of_tiles(context_->cores, context_->sim);
      !obstacle.empty())
    throw user_error(config_.ranks_place, obstacle);
  const std::uint64_t rows = ranks.size() / config_.columns;
  if (!is_power_of_two(rows) || !is_power_of_two(config_.columns))
    throw user_error(
        config_.ranks_place,
        fmt::format("{} keeps rows and columns in step by barriers with masks, which name tiles by "
                    "bits of their addresses, so both sides of the mesh have to be powers of two: "
                    "this one is {} x {}",
                    name_of_kernel(config_.kernel), config_.columns, rows));
}

void gemm_workload::check_job(const boot_job& job) const {
  const std::vector<rank_core*>& ranks = context_->cores.ranks;
  const std::uint64_t needed = memory_of_gemm(job, ranks.size());
  const std::string what = fmt::format("a job of tiles of {} x {}", job.tile, job.tile);
  for (const rank_core* each : ranks)
    if (const std::uint64_t size = each->resources().window_bytes; needed > size)
      throw user_error(config_.tile_place,
                       fmt::format("{} has {} of memory, {} needs {}", each->rank_path(),
                                   format_bytes(size), what, format_bytes(needed)));
  check_room(*context_, needed, what);
  const gemm_matrices matrices(config_, ranks.size(), job, context_->sim.settings().seed);
  for (const rank_core* each : ranks) matrices.check_fit(each->resources());
}

boot_job gemm_workload::job_of(boot_algorithm algorithm, std::uint32_t tile,
                               std::uint32_t number) const {
  const std::vector<rank_core*>& ranks = context_->cores.ranks;
  boot_job job = make_gemm_job(config_, algorithm, tile, ranks.size(),
                               ranks.front()->resources().window_bytes, number);
  if (keeps_barriers_behind_copies(context_->cores, context_->sim)) job.flags |= BOOT_JOB_ORDERED;
  return job;
}

void gemm_workload::fit(const workload_context& context) {
  context_ = &context;
  config_.columns = context.cores.ranks.front()->resources().columns;
  check_hardware();
  check_firmware(context, "gemm");
  for (const std::uint32_t tile : config_.tiles)
    for (const boot_algorithm each : config_.algorithms) check_job(job_of(each, tile, 0));
}

std::uint32_t gemm_workload::jobs() const {
  return static_cast<std::uint32_t>(config_.tiles.size() * config_.algorithms.size() *
                                    config_.repeat);
}

std::unique_ptr<workload_job> gemm_workload::prepare(std::uint32_t index, std::uint32_t number) {
  const std::size_t of_tile = config_.algorithms.size() * config_.repeat;
  config_.algorithm = config_.algorithms[index % of_tile / config_.repeat];
  return std::make_unique<gemm_job>(
      *context_, config_, job_of(config_.algorithm, config_.tiles[index / of_tile], number));
}

std::vector<std::string> gemm_workload::algorithms() const {
  std::vector<std::string> names;
  for (const boot_algorithm each : config_.algorithms)
    if (std::find(names.begin(), names.end(), name_of_version(each)) == names.end())
      names.emplace_back(name_of_version(each));
  return names;
}

std::string gemm_workload::note() const {
  return "time: from the first rank's start mark to the last rank's end mark, when its own "
         "transfers are done;\n"
         "  the barrier after which all ranks may use the data comes on top\n";
}

std::uint64_t gemm_workload::expected_work() const {
  std::uint64_t sum = 0;
  for (const std::uint64_t tile : config_.tiles) sum += tile * tile * sizeof(double);
  return sum * config_.repeat * config_.algorithms.size();
}

// Its rows stand among the collectives, because that is where readers of stats.json know them from.
HEDDLE_REGISTER_WORKLOAD(gemm,
                         {"gemm", "multiplies matrices on a mesh of tiles", "collectives",
                          gemm_kernel_names(),
                          [](yaml_mapping& mapping, const workload_settings& settings) {
                            return std::make_unique<gemm_workload>(read_gemm(mapping, settings));
                          }});

}  // namespace
}  // namespace heddle
