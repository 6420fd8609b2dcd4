#include "models/workloads/gather/gather_workload.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/sparse/open_matrix.hpp"
#include "models/workloads/check_firmware.hpp"
#include "models/workloads/gather/cache_warnings.hpp"
#include "models/workloads/gather/find_matrix.hpp"
#include "platform/services/system_findings.hpp"
#include "platform/text/format_seconds.hpp"
#include "platform/text/quantity.hpp"
#include "platform/workload/memory_room.hpp"
#include "transactors/gather/gather_format.hpp"

namespace heddle {
namespace {

HEDDLE_REGISTER_WORKLOAD(gather, {"gather",
                                  "gathers the properties that a sparse matrix asks for",
                                  "gathers",
                                  {},
                                  [](yaml_mapping& mapping, const workload_settings& settings) {
                                    return std::make_unique<gather_workload>(
                                        read_gather(mapping, settings));
                                  }});

bool uses_switch(const gather_config& config) {
  return std::any_of(config.features.begin(), config.features.end(),
                     [](std::uint32_t each) { return (each & GATHER_SWITCH) != 0; });
}

}  // namespace

// Large sets of properties are described, small ones held; `real` memories hold every byte.
gather_case gather_workload::case_of(std::uint32_t elements, std::uint32_t features) const {
  constexpr std::uint64_t small = 256 << 20;  // bytes of all nodes together
  gather_case what{matrix_, elements, features, false};
  const bool can_describe = std::all_of(system_.nodes.begin(), system_.nodes.end(),
                                        [](const gather_node& each) { return each.memory; });
  if (config_.storage == gather_storage::described && !can_describe)
    throw user_error(config_.place,
                     "`memory: described` needs a gather_memory in front of each node's memory");
  what.is_described = config_.storage == gather_storage::described ||
                      (config_.storage == gather_storage::automatic && can_describe &&
                       layout_of(*context_, what).end * system_.nodes.size() > small);
  return what;
}

void gather_workload::check_units() const {
  for (const gather_node& each : system_.nodes)
    if (config_.clients > each.nic->units() - 1)
      throw user_error(config_.clients_place,
                       fmt::format("{} clients: {} has {} units, and one has to serve",
                                   config_.clients, each.nic->path(), each.nic->units()));
}

// The control plane programs the racks before each job: without it they would not know.
void gather_workload::check_switches() const {
  if (!uses_switch(config_)) return;
  if (system_.racks.empty())
    throw user_error(
        config_.features_place,
        "the feature `switch` needs switches with middle pipes (units/gather_tor.yaml)");
  if (context_->cores.setup.empty())
    throw user_error(
        config_.features_place,
        "the feature `switch` needs a core that programs the racks: `setup: control.cp`");
}

// With the feature `switch` the racks put packets of their own together.
void gather_workload::check_racks(const gather_case& what) const {
  if (!(what.features & GATHER_SWITCH)) return;
  const std::uint32_t length = property_bytes(what.elements);
  for (const tor* each : system_.racks) {
    const std::uint32_t longest = gather_format::longest_property(each->mtu());
    if (each->hosts() == 0 || length <= longest) continue;
    throw user_error(config_.elements_place,
                     fmt::format("a property of {} elements takes {} B and fits into no packet of "
                                 "{} B of {}: {} elements are the most",
                                 what.elements, length, each->mtu(), each->path(), longest / 4));
  }
}

void gather_workload::check_case(const gather_case& what) const {
  const std::uint32_t length = property_bytes(what.elements);
  const gather_layout layout = layout_of(*context_, what);
  const std::uint64_t columns = matrix_->columns().rows_per_node() * matrix_->nodes();
  for (const gather_node& each : system_.nodes) {
    const std::uint32_t longest = gather_format::longest_property(each.nic->mtu());
    if (length > longest)
      throw user_error(config_.elements_place,
                       fmt::format("a property of {} elements takes {} B and fits into no packet "
                                   "of {} B: {} elements are the most",
                                   what.elements, length, each.nic->mtu(), longest / 4));
    if (columns / 8 > each.nic->memory_bytes())
      throw user_error(
          config_.matrix_place,
          fmt::format("{} has {} of memory, the filter of {} columns needs {}", each.nic->path(),
                      format_bytes(each.nic->memory_bytes()), columns, format_bytes(columns / 8)));
    const std::uint64_t size = each.core->resources().window_bytes;
    if (layout.end > size)
      throw user_error(config_.elements_place,
                       fmt::format("{} has {} of memory, properties of {} elements need {}",
                                   each.core->rank_path(), format_bytes(size), what.elements,
                                   format_bytes(layout.end)));
  }
  check_room(*context_, layout.end, fmt::format("a gather of {} elements", what.elements));
  check_racks(what);
}

// Warns of settings that do less than the netlist says, but are no mistakes.
void gather_workload::warn() const {
  std::vector<std::string>& warnings = context_->sim.service<system_findings>().warnings;
  warnings.insert(warnings.end(), config_.warnings.begin(), config_.warnings.end());
  const double path = machine_of(system_, config_.clients).shortest_path();
  if (config_.watchdog_ns > 0 && system_.nodes.size() > 1 && config_.watchdog_ns < 1e9 * path)
    warnings.push_back(fmt::format(
        "`watchdog` of {} is shorter than the {} that one request takes at least: every command "
        "fails whose properties come from other nodes and not from a cache on the way",
        format_duration(config_.watchdog_ns * fs_per_ns), format_seconds(path)));
  if (!uses_switch(config_)) return;
  for (const std::uint32_t elements : config_.elements)
    for (std::string& each : cache_warnings(system_, elements)) warnings.push_back(std::move(each));
}

void gather_workload::fit(const workload_context& context) {
  context_ = &context;
  system_ = find_gather_system(context, config_.ranks_place);
  check_firmware(context, "gather");
  const std::string path = find_matrix(
      config_.matrix, context.sim.settings().folder + "/netlist.yaml", config_.matrix_place);
  matrix_ = open_matrix(path, static_cast<std::uint32_t>(system_.nodes.size()), config_.scale,
                        config_.matrix_place);
  if (config_.batch == 0) config_.batch = matrix_->batch();
  check_units();
  check_switches();
  for (const std::uint32_t elements : config_.elements)
    for (const std::uint32_t features : config_.features) check_case(case_of(elements, features));
  warn();
}

std::uint32_t gather_workload::jobs() const {
  return static_cast<std::uint32_t>(config_.elements.size() * config_.features.size()) *
         config_.repeat;
}

std::unique_ptr<workload_job> gather_workload::prepare(std::uint32_t index, std::uint32_t number) {
  const std::size_t of_elements = config_.features.size() * config_.repeat;
  const gather_case what = case_of(config_.elements[index / of_elements],
                                   config_.features[index % of_elements / config_.repeat]);
  return make_job(what, number);
}

std::unique_ptr<workload_job> gather_workload::make_job(const gather_case& what,
                                                        std::uint32_t number) {
  return std::make_unique<gather_run>(*context_, config_, system_, what, number);
}

std::vector<std::string> gather_workload::algorithms() const {
  std::vector<std::string> names;
  for (const std::uint32_t each : config_.features)
    if (std::find(names.begin(), names.end(), name_of_features(each)) == names.end())
      names.push_back(name_of_features(each));
  return names;
}

std::string gather_workload::note() const {
  return "over SUOpt: against sending every property to every node at the full rate of the links\n"
         "  goodput, line, traffic, left out, PRs a packet: of the tail node, the last to finish\n";
}

std::uint64_t gather_workload::expected_work() const {
  return matrix_ ? matrix_->nonzeros() * jobs() : 0;
}

}  // namespace heddle
