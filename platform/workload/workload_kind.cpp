#include "platform/workload/workload_kind.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace heddle {

fs_t job_times::first_start() const {
  return *std::min_element(starts.begin(), starts.end());
}

fs_t job_times::last_start() const {
  return *std::max_element(starts.begin(), starts.end());
}

fs_t job_times::last_end() const {
  return *std::max_element(ends.begin(), ends.end());
}

std::string workload_result::title() const {
  return fmt::format("{}[{}]{}{}", name, number, algorithm.empty() ? "" : " " + algorithm,
                     size.empty() ? "" : " " + size);
}

namespace {

bool is_set(const yaml_node& node) {
  return node.place().file.str().rfind("--set ", 0) == 0;
}

}  // namespace

workload_registry& workload_registry::instance() {
  static workload_registry all;
  return all;
}

void workload_registry::add(workload_kind kind) {
  const auto next = std::lower_bound(kinds_.begin(), kinds_.end(), kind,
                                     [](const auto& a, const auto& b) { return a.name < b.name; });
  kinds_.insert(next, std::move(kind));
}

const workload_kind* workload_registry::find(const std::string& name) const {
  for (const workload_kind& each : kinds_)
    if (each.name == name) return &each;
  return nullptr;
}

yaml_node workload_registry::without_replaced(const yaml_node& workloads) const {
  if (workloads.is_sequence()) {
    std::vector<yaml_node> items;
    for (const yaml_node& each : workloads.items()) items.push_back(without_replaced(each));
    return yaml_node::sequence(std::move(items), workloads.place());
  }
  if (!workloads.is_mapping()) return workloads;
  std::vector<yaml_entry> entries;
  for (const yaml_entry& entry : workloads.entries()) {
    const auto replaces = [&](const std::string& key, const std::string& other) {
      const yaml_node* const given = workloads.find(other);
      return entry.key == key && given && is_set(*given) && !is_set(entry.value);
    };
    bool is_replaced = false;
    for (const workload_kind& kind : kinds_)
      for (const auto& [one, other] : kind.alternatives)
        is_replaced = is_replaced || replaces(one, other) || replaces(other, one);
    if (!is_replaced) entries.push_back(entry);
  }
  return yaml_node::mapping(std::move(entries), workloads.place());
}

const workload_kind& workload_registry::kind_of(yaml_mapping& mapping) const {
  if (const auto named = mapping.optional("kind")) {
    std::vector<std::string> names;
    for (const workload_kind& each : kinds_) names.push_back(each.name);
    return *find(as_choice(*named, "kind", names));
  }
  std::vector<std::string> collectives;
  for (const workload_kind& each : kinds_)
    collectives.insert(collectives.end(), each.collectives.begin(), each.collectives.end());
  const std::string chosen = as_choice(mapping.required("collective"), "collective", collectives);
  const auto claims = [&](const workload_kind& each) {
    return std::find(each.collectives.begin(), each.collectives.end(), chosen) !=
           each.collectives.end();
  };
  return *std::find_if(kinds_.begin(), kinds_.end(), claims);
}

}  // namespace heddle
