#include "models/workloads/collective/collective_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <unordered_map>
#include <unordered_set>

#include "models/inc/isa/isa.hpp"
#include "models/workloads/collective/make_job.hpp"
#include "models/workloads/collective/message_protocol.hpp"
#include "models/workloads/mesh_order.hpp"
#include "models/workloads/mesh_ranks.hpp"
#include "platform/text/quantity.hpp"
#include "platform/unit/unit.hpp"
#include "platform/workload/memory_room.hpp"
#include "platform/workload/rank_memory.hpp"
#include "transactors/fabric/fabric.hpp"
#include "transactors/packet/packet_port.hpp"

namespace heddle {
namespace {

// Tiles move whole words.
void check_words(const collective_config& config, const boot_job& job, std::uint64_t messages) {
  constexpr std::uint64_t word = 8;
  const std::uint64_t bytes = job.elements * job.element_bytes / messages;
  if (bytes % word == 0) return;
  throw user_error(config.bytes_place,
                   fmt::format("tiles move multiples of {} B, {} has {} B", word,
                               messages > 1 ? "a chunk" : "the tensor", bytes));
}

// And chunks of partition.hpp, which may differ by an element.
void check_words_of_chunks(const collective_config& config, const boot_job& job,
                           std::uint64_t ranks) {
  constexpr std::uint64_t word = 8;
  for (std::uint64_t rank = 0; rank < ranks; ++rank) {
    const element_range chunk = chunk_range(job.elements, ranks, rank);
    if (chunk.count * job.element_bytes % word == 0) continue;
    throw user_error(config.bytes_place,
                     fmt::format("tiles move multiples of {} B, chunk {} of {} has {} B", word,
                                 rank, ranks, chunk.count * job.element_bytes));
  }
}

// The fabric checks the ways between endpoints that have links; a rank without any is a stand-alone
// machine to it.
void check_links(const collective_config& config, const workload_cores& cores, simulation& sim) {
  const fabric& net = sim.service<fabric>();
  if (cores.ranks.size() < 2) return;
  std::unordered_set<const unit*> linked;
  for (const packet_port* each : net.ports()) linked.insert(&each->owner());
  for (const rank_core* each : cores.ranks) {
    const address_window* const window = net.find_window(each->resources().window);
    if (!window) continue;  // a tile of a mesh, or a memory that all ranks share
    const unit& owner = *net.endpoint(window->endpoint).owner;
    if (linked.count(&owner) > 0) continue;
    const rank_core* const other = cores.ranks[each == cores.ranks.front() ? 1 : 0];
    throw user_error(config.ranks_place,
                     fmt::format("{} cannot reach {}: no link leads from {}", each->rank_path(),
                                 other->rank_path(), owner.path()));
  }
}

// That every in-switch accelerator has the streams that the job wants, each tenant its share.
void check_streams(const collective_config& config, const collective_case& of,
                   const workload_context& context) {
  const std::uint64_t wanted = config.streams * of.groups.count, tenants = context.tenant.count;
  for (const unit* each : context.sim.units()) {
    const auto* const accelerator = dynamic_cast<const isa_unit*>(each);
    if (!accelerator || accelerator->stream_count() / tenants >= wanted) continue;
    throw user_error(
        config.streams > 1 ? config.streams_place : config.groups_place,
        fmt::format("{} groups of {} streams each are {}, {} has {}{}", of.groups.count,
                    config.streams, wanted, accelerator->path(), accelerator->stream_count(),
                    tenants > 1 ? fmt::format(" for {} workloads", tenants) : ""));
  }
}

// All instructions of a job wait in the queue of their stream until the ranks have come: one for
// each chunk.
void check_queues(const collective_config& config, const collective_case& of,
                  const workload_context& context) {
  const bool is_cut =
      config.collective == BOOT_REDUCE_SCATTER || config.collective == BOOT_ALLGATHER;
  const std::uint64_t needed = is_cut ? of.ranks : 1;
  for (const unit* each : context.sim.units()) {
    const auto* const accelerator = dynamic_cast<const isa_unit*>(each);
    if (!accelerator || accelerator->queue_entries() >= needed) continue;
    throw user_error(config.place,
                     fmt::format("{} of {} ranks has as many instructions, and `queue` of {} is {}",
                                 name_of(config.collective), needed, accelerator->path(),
                                 accelerator->queue_entries()));
  }
}

// Lengths and memory.
void check_job(const collective_config& config, const workload_context& context,
               const collective_case& of, const boot_job& job) {
  const workload_cores& cores = context.cores;
  const std::uint64_t ranks = of.ranks;
  const bool is_chunked = config.collective == BOOT_ALLTOALL;
  if (is_chunked && job.elements % ranks != 0)
    throw user_error(config.bytes_place, fmt::format("{} elements are no equal chunks for {} ranks",
                                                     job.elements, ranks));
  const bool is_on_mesh = cores.ranks.front()->has("network_interface");
  if (is_on_mesh && config.collective != BOOT_BARRIER)
    check_words(config, job, is_chunked ? ranks : 1);
  const bool is_cut =
      config.collective == BOOT_REDUCE_SCATTER || config.collective == BOOT_ALLGATHER;
  if (is_on_mesh && is_cut) check_words_of_chunks(config, job, ranks);
  const std::uint64_t needed = memory_of(job, ranks);
  const std::string what =
      fmt::format("a job of {} by {}", format_bytes(job.elements * job.element_bytes),
                  algorithm_registry::instance().of(job.algorithm).name);
  for (const rank_core* each : cores.ranks)
    if (needed > each->resources().window_bytes)
      throw user_error(
          config.bytes_place,
          fmt::format("{} has {} of memory, {} needs {}", each->rank_path(),
                      format_bytes(each->resources().window_bytes), what, format_bytes(needed)));
  check_room(context, needed, what);
}

}  // namespace

std::uint64_t ranks_of_pods(const workload_context& context) {
  const std::vector<rank_core*>& of = context.cores.ranks;
  const auto region = [&](std::size_t rank) { return of[rank]->resources().multicast; };
  std::unordered_map<std::uint64_t, std::size_t> members;
  for (const rank_core* each : context.sim.service<rank_directory>().cores)
    ++members[each->resources().multicast];
  const std::size_t ranks = of.size();
  std::size_t pod = 1;
  while (pod < ranks && region(pod) == region(0)) ++pod;
  std::unordered_set<std::uint64_t> known;
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    const bool is_first = rank % pod == 0;
    const bool is_as_expected =
        is_first ? known.insert(region(rank)).second : region(rank) == region(rank - 1);
    if (!is_as_expected || region(rank) == 0 || members[region(rank)] != pod) return 0;
  }
  return ranks % pod == 0 ? pod : 0;
}

rank_groups groups_among(const collective_config& config, const workload_cores& cores) {
  const std::uint64_t ranks = cores.ranks.size();
  const std::uint64_t columns = cores.ranks.front()->resources().columns;
  rank_groups groups{config.groups, 1, ranks};
  if (config.groups == group_shape::blocks) groups.count = config.group_count;
  if (config.groups == group_shape::columns) groups.count = columns;
  if (config.groups == group_shape::rows)
    groups.count = std::max<std::uint64_t>(1, ranks / columns);
  groups.size = ranks / groups.count;
  if (groups.size * groups.count != ranks)
    throw user_error(config.groups_place,
                     fmt::format("{} ranks are no {} groups of as many", ranks, groups.count));
  const bool are_lines = groups.shape == group_shape::rows || groups.shape == group_shape::columns;
  if (are_lines && groups.size == 1 && cores.ranks.front()->has("network_interface"))
    throw user_error(config.groups_place,
                     fmt::format("{} of the mesh have one tile each: nothing is left to do",
                                 groups.shape == group_shape::rows ? "rows" : "columns"));
  return groups;
}

void check_ranks(const collective_config& config, const workload_cores& cores, simulation& sim) {
  const std::size_t ranks = cores.ranks.size();
  const bool is_point_to_point =
      config.collective == BOOT_P2P_LATENCY || config.collective == BOOT_P2P_BANDWIDTH;
  if (is_point_to_point && ranks < 2)
    throw user_error(config.ranks_place, "a point-to-point test needs two ranks");
  const rank_groups groups = groups_among(config, cores);
  if (config.root >= groups.size)
    throw user_error(config.root_place,
                     fmt::format("root {} is none of the {} ranks{}", config.root, groups.size,
                                 groups.shape == group_shape::all ? "" : " of a group"));
  if (ranks > 1 && !config.output.empty() && config.output.find("{r}") == std::string::npos)
    throw user_error(config.output_place,
                     "`output` names one file a rank: it needs {r}, as in "
                     "sum_rank{r}.npy");
  if (const std::string obstacle = obstacle_of_tiles(cores, sim); !obstacle.empty())
    throw user_error(config.ranks_place, obstacle);
  const rank_core& first = *cores.ranks.front();
  const std::uint64_t window = first.resources().window_bytes;
  const rank_memory layout(window);
  // Tiles know each other's addresses.
  if (!first.has("network_interface") && ranks > layout.most_ranks())
    throw user_error(config.ranks_place,
                     fmt::format("{} ranks: a window of {} has room for the addresses of {}", ranks,
                                 format_bytes(window), layout.most_ranks()));
  check_links(config, cores, sim);
}

void check_output(const collective_config& config, const std::string& directory) {
  namespace fs = std::filesystem;
  if (config.input.empty() || config.output.empty() || directory.empty()) return;
  const auto normal = [](const fs::path& path) {
    std::error_code failed;
    return fs::weakly_canonical(fs::absolute(path), failed);
  };
  if (normal(fs::path(directory) / config.output) == normal(config.input))
    throw user_error(config.output_place, "the results would replace the files of `input`");
}

boot_job fitting_job(const collective_config& config, const collective_algorithm& by,
                     const collective_case& of, const workload_context& context,
                     std::uint32_t number) {
  const workload_cores& cores = context.cores;
  const flag_protocol protocol = protocol_of(config, by, of, cores, context.sim);
  collective_case told = of;
  told.is_acknowledged = protocol == flag_protocol::acknowledged;
  boot_job job = make_job(config, by, told, context.sim.service<link_directory>(),
                          cores.ranks.front()->resources().window_bytes, number);
  job.flags |= job_flags_of(protocol);
  const bool shares_links = by.shares_links && by.shares_links(of);
  if (!shares_links && keeps_barriers_behind_copies(cores, context.sim))
    job.flags |= BOOT_JOB_ORDERED;
  check_job(config, context, of, job);
  if (by.has_streams) {
    check_streams(config, of, context);
    check_queues(config, of, context);
  }
  return job;
}

}  // namespace heddle
