#include "models/workloads/collective/collective_fit.hpp"

#include <fmt/format.h>

#include "models/workloads/collective/bandwidth_model.hpp"
#include "models/workloads/collective/make_job.hpp"
#include "platform/text/quantity.hpp"
#include "platform/workload/rank_memory.hpp"
#include "sw/collectives/select.h"

namespace heddle {
namespace {

void check_accelerators(const collective_config& config, const workload_cores& cores,
                        boot_algorithm algorithm) {
  for (const rank_core* rank : cores.ranks)
    if (rank->resources().isas == 0)
      throw user_error(config.algorithm_place,
                       fmt::format("{} needs in-switch accelerators, {} knows none",
                                   name_of(algorithm), rank->rank_path()));
  if (cores.setup.empty())
    throw user_error(config.algorithm_place,
                     fmt::format("{} needs a core that sets the in-switch accelerators up: name it "
                                 "with `setup:`",
                                 name_of(algorithm)));
}

void check_multicast(const collective_config& config, const workload_cores& cores) {
  for (const rank_core* each : cores.ranks)
    if (each->resources().multimem == 0 || each->resources().multicast == 0)
      throw user_error(config.algorithm_place,
                       fmt::format("nvls needs a multimem unit and a multicast region, {} has no "
                                   "`{}`",
                                   each->rank_path(),
                                   each->resources().multimem == 0 ? "multimem" : "multicast"));
}

void check_mesh(const collective_config& config, const workload_cores& cores,
                boot_algorithm algorithm) {
  for (const rank_core* each : cores.ranks)
    if (each->resources().mesh == 0)
      throw user_error(config.algorithm_place,
                       fmt::format("{} needs a mesh of tiles, {} has no `mesh`", name_of(algorithm),
                                   each->rank_path()));
  const std::uint64_t columns = cores.ranks.front()->resources().columns;
  if (cores.ranks.size() % columns != 0)
    throw user_error(config.ranks_place, fmt::format("{} ranks are no rows of {} columns",
                                                     cores.ranks.size(), columns));
  if (algorithm != BOOT_MESH_HW && config.collective != BOOT_REDUCE && config.root != 0)
    throw user_error(config.root_place,
                     fmt::format("{} by {} has its root at rank 0", name_of(config.collective),
                                 name_of(algorithm)));
}

void check_wires(const collective_config& config, const workload_cores& cores,
                 boot_algorithm algorithm) {
  const std::size_t ranks = cores.ranks.size();
  for (const rank_core* rank : cores.ranks)
    if (rank->resources().mesh != 0)
      throw user_error(config.algorithm_place,
                       fmt::format("{} is not for tiles of a mesh such as {}: choose mesh_hw, "
                                   "mesh_naive, mesh_seq or mesh_tree",
                                   name_of(algorithm), rank->rank_path()));
  if (algorithm == BOOT_HALVING_DOUBLING && (ranks & (ranks - 1)) != 0)
    throw user_error(
        config.algorithm_place,
        fmt::format("halving_doubling needs a power of two of ranks, there are {}", ranks));
  const rank_memory layout(cores.ranks.front()->resources().window_bytes);
  if (ranks > layout.most_ranks())
    throw user_error(config.ranks_place,
                     fmt::format("{} ranks: a window of {} has room for the addresses of {}", ranks,
                                 format_bytes(cores.ranks.front()->resources().window_bytes),
                                 layout.most_ranks()));
  if (is_point_to_point(config.collective)) return;
  if (algorithm == BOOT_NVLS) check_multicast(config, cores);
  if (config.collective == BOOT_BARRIER) return;
  const bool may_choose = algorithm == BOOT_AUTO && cores.ranks.front()->resources().isas > 0;
  if (algorithm == BOOT_SCIN || algorithm == BOOT_SCIN_INQ || may_choose)
    check_accelerators(config, cores, algorithm);
}

// Tiles move whole words.
void check_words(const collective_config& config, const boot_job& job, std::uint64_t messages) {
  constexpr std::uint64_t word = 8;
  const std::uint64_t bytes = job.elements * job.element_bytes / messages;
  if (bytes % word == 0) return;
  throw user_error(config.bytes_place,
                   fmt::format("tiles move multiples of {} B, {} has {} B", word,
                               messages > 1 ? "a chunk" : "the tensor", bytes));
}

}  // namespace

void check_hardware(const collective_config& config, const workload_cores& cores) {
  const std::size_t ranks = cores.ranks.size();
  if (is_point_to_point(config.collective) && ranks < 2)
    throw user_error(config.ranks_place, "a point-to-point test needs two ranks");
  if (config.root >= ranks)
    throw user_error(config.root_place,
                     fmt::format("root {} is none of the {} ranks", config.root, ranks));
  if (ranks > 1 && !config.output.empty() && config.output.find("{r}") == std::string::npos)
    throw user_error(config.output_place,
                     "`output` names one file a rank: it needs {r}, as in "
                     "sum_rank{r}.npy");
  for (const boot_algorithm each : config.algorithms) {
    if (is_on_mesh(each))
      check_mesh(config, cores, each);
    else
      check_wires(config, cores, each);
  }
}

void check_job(const collective_config& config, const workload_cores& cores, const boot_job& job) {
  const std::uint64_t ranks = cores.ranks.size();
  const bool is_chunked = config.collective == BOOT_ALLTOALL;
  if (is_chunked && job.elements % ranks != 0)
    throw user_error(config.bytes_place, fmt::format("{} elements are no equal chunks for {} ranks",
                                                     job.elements, ranks));
  if (is_on_mesh(job.algorithm) && moves_data(&job))
    check_words(config, job, is_chunked ? ranks : 1);
  const std::uint64_t needed = memory_of(job, ranks);
  const std::string size = format_bytes(job.elements * job.element_bytes);
  for (const rank_core* each : cores.ranks)
    if (needed > each->resources().window_bytes)
      throw user_error(
          config.bytes_place,
          fmt::format("{} has {} of memory, a job of {} needs {}", each->rank_path(),
                      format_bytes(each->resources().window_bytes), size, format_bytes(needed)));
}

}  // namespace heddle
