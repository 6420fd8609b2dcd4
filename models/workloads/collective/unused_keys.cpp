#include "models/workloads/collective/unused_keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "models/workloads/collective/choose_algorithm.hpp"
#include "platform/services/system_findings.hpp"
#include "platform/unit/simulation.hpp"

namespace heddle {
namespace {

using algorithm = collective_algorithm;

bool is_one_of(boot_collective collective, std::initializer_list<boot_collective> all) {
  return std::find(all.begin(), all.end(), collective) != all.end();
}

bool is_point_to_point(boot_collective collective) {
  return is_one_of(collective, {BOOT_P2P_LATENCY, BOOT_P2P_BANDWIDTH});
}

bool is_done_by_copies(const algorithm& by) {
  return by.is_software() && by.ranks != rank_rule::tiles_of_a_mesh;
}

bool has_root(const algorithm&, const collective_config& config) {
  return is_one_of(config.collective, {BOOT_BROADCAST, BOOT_REDUCE});
}

bool adds(const algorithm&, const collective_config& config) {
  return is_one_of(config.collective, {BOOT_ALLREDUCE, BOOT_REDUCE, BOOT_REDUCE_SCATTER});
}

bool has_data(const algorithm&, const collective_config& config) {
  return config.collective != BOOT_BARRIER;
}

bool repeats_messages(const algorithm&, const collective_config& config) {
  return is_point_to_point(config.collective);
}

bool quantizes(const algorithm& by, const collective_config&) {
  return by.is_quantized;
}

bool has_streams(const algorithm& by, const collective_config&) {
  return by.has_streams;
}

bool has_trees(const algorithm& by, const collective_config&) {
  return by.has_trees;
}

bool is_on_torus(const algorithm& by, const collective_config&) {
  return by.needs_sides;
}

// Software that cannot be a chain is refused.
bool may_be_chained(const algorithm& by, const collective_config& config) {
  return is_done_by_copies(by) || (by.has_trees && adds(by, config));
}

bool has_protocol(const algorithm& by, const collective_config& config) {
  return is_done_by_copies(by) && config.collective != BOOT_BARRIER;
}

bool has_channels(const algorithm& by, const collective_config& config) {
  const bool uses_engines = is_done_by_copies(by) || by.needs_of_setup("aggregator");
  return uses_engines && config.collective != BOOT_BARRIER;
}

// Of messages in lines the firmware chooses number and length.
bool is_ring_of_slots(const algorithm& by, const collective_config& config) {
  return by.number == BOOT_RING && config.protocol != flag_protocol::in_packet &&
         !config.is_chained;
}

bool has_slots(const algorithm& by, const collective_config& config) {
  return is_ring_of_slots(by, config) &&
         is_one_of(config.collective, {BOOT_ALLREDUCE, BOOT_REDUCE_SCATTER});
}

// The firmware of the others sends whole chunks or tensors.
bool has_messages(const algorithm& by, const collective_config& config) {
  const bool is_pass = is_one_of(config.collective, {BOOT_BROADCAST, BOOT_REDUCE});
  switch (by.number) {
    case BOOT_RING:
      return is_pass || is_ring_of_slots(by, config);
    case BOOT_DOUBLE_TREE:
      return true;
    case BOOT_TORUS:
      return config.collective == BOOT_BROADCAST;
    case BOOT_MESH_SEQ:
      return config.collective != BOOT_BARRIER;
    case BOOT_MESH_TREE:
      return is_one_of(config.collective, {BOOT_REDUCE, BOOT_ALLREDUCE});
    default:
      return false;
  }
}

struct key_rule {
  const char* key;
  const char* assumed;  // the value of a netlist without it; "" where no value asks for nothing
  const char* whose;    // what it is of
  bool (*is_used)(const algorithm& by, const collective_config& config);
};

constexpr const char* of_accelerators = "it is of in-switch accelerators";
constexpr const char* of_tori = "it is of `torus`";
constexpr const char* of_messages =
    "it is of rings, of segments of `double_tree` and of broadcasts by `torus`, and of batches of "
    "`mesh_seq` and of reductions by `mesh_tree`";

constexpr key_rule rules[] = {
    {"root", "0", "it is of broadcast and reduce", &has_root},
    {"op", "sum", "it is of allreduce, reduce and reduce_scatter", &adds},
    {"bytes", "", "a barrier moves no data", &has_data},
    {"dtype", "fp16", "a barrier moves no data", &has_data},
    {"iterations", "1", "it counts the messages of p2p_latency and p2p_bandwidth",
     &repeats_messages},
    {"quantization", "", "it is of `scin_inq`, which `auto` may choose then", &quantizes},
    {"instructions", "ahead", of_accelerators, &has_streams},
    {"addresses", "each", of_accelerators, &has_streams},
    {"streams", "1", of_accelerators, &has_streams},
    {"trees", "", "it is of trees of aggregators", &has_trees},
    {"sides", "", of_tori, &is_on_torus},
    {"stripes", "1", of_tori, &is_on_torus},
    {"steps", "core", "it is of software, and of reductions by trees of aggregators",
     &may_be_chained},
    {"protocol", "acknowledged", "it is of software, but for barriers and on a mesh",
     &has_protocol},
    {"channels", "4", "it is of DMA engines that send tensors", &has_channels},
    {"ring_entries", "256", "it is of DMA engines that send tensors", &has_channels},
    {"slots", "8", "it is of the rings of allreduce and reduce_scatter by cores, without lines",
     &has_slots},
    {"slot_bytes", "", of_messages, &has_messages},
    {"pieces", "", of_messages, &has_messages},
};

bool have_all(const std::vector<rank_core*>& cores, const std::vector<std::string>& devices) {
  return devices.empty() || (!cores.empty() && std::all_of(devices.begin(), devices.end(),
                                                           [&](const std::string& device) {
                                                             return cores.front()->has(device);
                                                           }));
}

bool has_hardware(const algorithm& by, const workload_cores& cores) {
  const bool is_on_mesh = by.ranks == rank_rule::tiles_of_a_mesh;
  return is_on_mesh == cores.ranks.front()->has("network_interface") &&
         !(by.needs_setup && cores.setup.empty()) && have_all(cores.ranks, by.needs) &&
         have_all(cores.setup, by.setup_needs);
}

// Those that may do the jobs: `auto` chooses among all, and what hardware cannot do software does.
std::vector<const algorithm*> algorithms_of(const collective_config& config,
                                            const workload_cores& cores) {
  std::vector<const algorithm*> all;
  bool may_be_any = false, may_be_software = false;
  for (const std::string& name : config.algorithms) {
    const algorithm* const named =
        name == auto_algorithm ? nullptr : algorithm_behind(name, config.collective);
    if (named) all.push_back(named);
    may_be_any = may_be_any || !named;
    may_be_software = may_be_software || (named && named->limit);
  }
  for (const algorithm& each : algorithm_registry::instance().all())
    if (each.cost && each.does(config.collective) && has_hardware(each, cores) &&
        (may_be_any || (may_be_software && each.is_software())))
      all.push_back(&each);
  return all;
}

}  // namespace

void warn_of_unused_keys(const collective_config& config, const workload_context& context) {
  const std::vector<const algorithm*> all = algorithms_of(config, context.cores);
  const std::string jobs =
      fmt::format("{} by {}", name_of(config.collective), fmt::join(config.algorithms, ", "));
  const auto warn = [&](const yaml_entry& given, const std::string& why) {
    const std::string place = given.value.place().text();
    context.sim.service<system_findings>().warnings.push_back(
        fmt::format("{}{}`{}` has no effect {}", place, place.empty() ? "" : ": ", given.key, why));
  };
  for (const yaml_entry& given : config.given) {
    if (given.key == "output" && !context.sim.settings().carries_data)
      warn(given, "without data (`data: off`)");
    for (const key_rule& rule : rules)
      if (rule.key == given.key &&
          !(given.value.is_scalar() && given.value.text() == rule.assumed) &&
          std::none_of(all.begin(), all.end(),
                       [&](const algorithm* by) { return rule.is_used(*by, config); }))
        warn(given, fmt::format("on {}: {}", jobs, rule.whose));
  }
}

}  // namespace heddle
