#include "models/workloads/gather/gather_config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "models/sparse/open_matrix.hpp"
#include "platform/text/number.hpp"

namespace heddle {
namespace {

constexpr std::array<std::pair<const char*, std::uint32_t>, 4> feature_names = {{
    {"filter", GATHER_FILTER},
    {"coalesce", GATHER_COALESCE},
    {"nic_concat", GATHER_NIC_CONCAT},
    {"switch", GATHER_SWITCH},
}};
// Each step has the features of those before it.
constexpr std::array<const char*, 5> step_names = {"rig", "+filter", "+coalesce", "+nic_concat",
                                                   "+switch"};

std::uint32_t features_of_step(std::size_t step) {
  std::uint32_t features = 0;
  for (std::size_t i = 0; i < step; ++i) features |= feature_names[i].second;
  return features;
}

std::uint32_t read_feature(const yaml_node& node) {
  std::vector<std::string> names;
  for (const auto& [name, bit] : feature_names) names.emplace_back(name);
  const std::string chosen = as_choice(node, "feature", names);
  for (const auto& [name, bit] : feature_names)
    if (chosen == name) return bit;
  return 0;
}

std::uint32_t read_features(const yaml_node& list) {
  std::uint32_t features = 0;
  for (const yaml_node& each : as_list(list)) {
    const std::uint32_t feature = read_feature(each);
    if (features & feature)
      throw user_error(each.place(), fmt::format("the feature '{}' is there twice", each.text()));
    features |= feature;
  }
  return features;
}

// `ladder`: a job for each step; a list of features: one job; a list of lists: a job each.
std::vector<std::uint32_t> read_feature_sets(const yaml_node& node) {
  std::vector<std::uint32_t> sets;
  if (node.is_scalar() && node.text() == "ladder") {
    for (std::size_t step = 0; step < step_names.size(); ++step)
      sets.push_back(features_of_step(step));
    return sets;
  }
  if (node.is_sequence() && !node.items().empty() && node.items().front().is_sequence()) {
    for (const yaml_node& each : node.items()) sets.push_back(read_features(each));
    return sets;
  }
  return {read_features(node)};
}

double read_scale(const yaml_node& node) {
  const std::string text = as_text(node);
  try {
    const double scale = parse_scale(text);
    if (scale > 0 && scale <= 1) return scale;
  } catch (const quantity_error&) {
  }
  throw user_error(node.place(), fmt::format("expected a scale such as 1/8 or 0.125, at most 1, "
                                             "got \"{}\"",
                                             text));
}

// Keys of features that none of the jobs has.
std::vector<std::string> warnings_of_unused_keys(yaml_mapping& mapping,
                                                 const gather_config& config) {
  struct key_rule {
    const char *key, *assumed;  // the value of a netlist without it asks for nothing
    const char* needs;
    std::uint32_t features;  // one of them
  };
  constexpr key_rule rules[] = {
      {"delay", "500", "`nic_concat` and `switch`", GATHER_NIC_CONCAT | GATHER_SWITCH},
      {"switch_delay", "", "`switch`", GATHER_SWITCH},
      {"scope", "uplink", "`switch`", GATHER_SWITCH},
      {"clear", "outside", "`filter`", GATHER_FILTER}};
  std::vector<std::string> warnings;
  for (const key_rule& rule : rules) {
    const auto given = mapping.optional(rule.key);
    if (given && as_text(*given) != rule.assumed &&
        std::none_of(config.features.begin(), config.features.end(),
                     [&](std::uint32_t job) { return (job & rule.features) != 0; }))
      warnings.push_back(fmt::format("{}: `{}` has no effect: `features` are without {}",
                                     given->place().text(), rule.key, rule.needs));
  }
  return warnings;
}

gather_storage read_storage(const yaml_node& node) {
  const std::string text = as_choice(node, "memory", {"automatic", "real", "described"});
  if (text == "real") return gather_storage::real;
  return text == "described" ? gather_storage::described : gather_storage::automatic;
}

}  // namespace

std::string name_of_features(std::uint32_t features) {
  for (std::size_t step = 0; step < step_names.size(); ++step)
    if (features == features_of_step(step)) return step_names[step];
  std::string text;
  for (const auto& [name, bit] : feature_names)
    if (features & bit) text += (text.empty() ? "" : "+") + std::string(name);
  return text;
}

gather_config read_gather(yaml_mapping& mapping, const workload_settings& settings) {
  constexpr std::int64_t most_batch = 1 << 24, most_delay = 1 << 20;
  gather_config config;
  config.place = config.features_place = config.elements_place = config.clients_place =
      settings.place;
  config.ranks_place = settings.ranks_place;
  const yaml_node matrix = mapping.required("matrix");
  config.matrix = as_text(matrix);
  config.matrix_place = matrix.place();
  if (const auto n = mapping.optional("scale")) {
    config.scale = read_scale(*n);
    config.scale_text = as_text(*n);
  }
  if (const auto n = mapping.optional("k")) {
    config.elements_place = n->place();
    config.elements.clear();
    for (const yaml_node& each : as_list(*n))
      config.elements.push_back(
          static_cast<std::uint32_t>(as_integer(each, 1, most_property_elements)));
    if (config.elements.empty()) throw user_error(n->place(), "expected a number of elements");
  }
  config.features = {all_gather_features};
  if (const auto n = mapping.optional("features")) {
    config.features = read_feature_sets(*n);
    config.features_place = n->place();
  }
  read_integer(mapping.optional("batch"), config.batch, 1, most_batch);
  read_integer(mapping.optional("delay"), config.delay, 0, most_delay);
  config.switch_delay = config.delay / 4;
  read_integer(mapping.optional("switch_delay"), config.switch_delay, 0, most_delay);
  if (const auto n = mapping.optional("clients")) {
    config.clients = static_cast<std::uint32_t>(as_integer(*n, 1, 32));
    config.clients_place = n->place();
  }
  if (const auto n = mapping.optional("watchdog"))
    config.watchdog_ns = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(UINT32_MAX, as_duration(*n) / fs_per_ns));
  read_integer(mapping.optional("repeat"), config.repeat, 1, 1'000'000);
  if (const auto n = mapping.optional("clear"))
    config.clears_inside = as_choice(*n, "clear", {"outside", "inside"}) == "inside";
  if (const auto n = mapping.optional("scope"))
    config.caches_all = as_choice(*n, "scope", {"uplink", "all"}) == "all";
  if (const auto n = mapping.optional("memory")) config.storage = read_storage(*n);
  config.warnings = warnings_of_unused_keys(mapping, config);
  return config;
}

}  // namespace heddle
