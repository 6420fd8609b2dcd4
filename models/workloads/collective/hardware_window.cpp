#include "models/workloads/collective/hardware_window.hpp"

#include <algorithm>
#include <cmath>

#include "models/inc/isa/isa.hpp"
#include "models/inc/multimem/multimem.hpp"
#include "models/workloads/collective/aggregator_network.hpp"
#include "models/workloads/collective/endpoint_of_rank.hpp"
#include "models/workloads/collective/work_of_core.hpp"
#include "platform/unit/simulation.hpp"
#include "sw/collectives/tree.h"
#include "sw/collectives/tree_windows.h"
#include "transactors/packetizer/packetizer.hpp"

namespace heddle {
namespace {

struct window {
  double bytes = 0;  // 0: everything may be under way
  double trip = 0;   // s, until the first byte of it makes room
  double part = 0;   // of it that is sent at once, when there is room for all of that
};

// By cores, half of a window follows when the results of the half before have come.
window window_of_trees(const collective_case& job, const collective_config& config,
                       const hardware_view& on) {
  // Of a core for a half, of an engine for a segment; measured with yaml/tree_allreduce.yaml.
  constexpr double core_s = 0.6e-6, engine_s = 0.3e-6;
  if (!job.adds()) return {};
  const aggregator_network network(on.cores, on.sim);
  const auto most = static_cast<std::uint64_t>(TREE_MOST);
  const std::uint64_t wanted = config.trees != 0 ? config.trees : network.links_of(0);
  const std::uint64_t made = std::min({wanted, config.channels, most});
  const bool is_cut = job.collective == BOOT_REDUCE_SCATTER;  // its data take the first tree alone
  const tree_window of_tree = tree_window_in(
      tree_share_of_buffer(network.smallest_buffer(), static_cast<std::uint32_t>(made), 1));
  const double bytes =
      static_cast<double>(of_tree.bytes) * (is_cut ? 1 : static_cast<double>(made));
  if (job.is_chained) return {bytes, on.way + engine_s, 0};
  return {bytes, on.way + work_of(*on.cores.ranks.front(), core_s), 0.5};
}

// An entry of a wave table is free again when its wave has come from the members.
window window_of_waves(const hardware_view& on) {
  constexpr double memory_s = 0.1e-6;  // of a member
  double bytes = 0;
  for (const unit* each : on.sim.units())
    if (const auto* const accelerator = dynamic_cast<const isa_unit*>(each))
      bytes += accelerator->table_bytes();
  return {bytes, on.way + memory_s, 0};
}

// Each rank loads its part of the tensor, and stores it, in packets that wait for an answer each.
window window_of_multimem(const collective_case& job, const hardware_view& on) {
  const auto* const through =
      dynamic_cast<const packetizer*>(endpoint_unit_of(*on.cores.ranks.front(), on.sim));
  const auto& units = on.sim.units();
  const auto found = std::find_if(units.begin(), units.end(), [](const unit* each) {
    return dynamic_cast<const multimem_unit*>(each) != nullptr;
  });
  if (!through || found == units.end()) return {};
  const auto& loads = dynamic_cast<const multimem_unit&>(**found);
  const std::uint32_t packets = std::min(loads.most_outstanding(), through->outstanding_limit());
  const double passes = job.collective == BOOT_ALLREDUCE ? 2 : 1;
  const double of_part = static_cast<double>(packets) * loads.packet_bytes() / passes;
  return {of_part * static_cast<double>(job.ranks), 2 * on.way, 0};
}

window window_of(const collective_algorithm& by, const collective_case& job,
                 const collective_config& config, const hardware_view& on) {
  if (job.collective == BOOT_BARRIER) return {};  // no data
  switch (by.window) {
    case window_rule::buffers_of_trees:
      return window_of_trees(job, config, on);
    case window_rule::wave_tables:
      return window_of_waves(on);
    case window_rule::multimem_requests:
      return window_of_multimem(job, on);
    case window_rule::none:
      break;
  }
  return {};
}

}  // namespace

double waits_for_windows(const collective_algorithm& by, const collective_case& job,
                         const collective_config& config, const hardware_view& on, double rate) {
  const window of = window_of(by, job, config, on);
  if (of.bytes == 0) return 0;
  const double share = by.is_quantized ? by.load(job, 0).out : 1;
  const double further = std::ceil(share * static_cast<double>(job.bytes) / of.bytes) - 1;
  const double sending = of.bytes / share / rate;
  return further * std::max(0.0, of.trip - (1 - of.part) * sending);
}

}  // namespace heddle
