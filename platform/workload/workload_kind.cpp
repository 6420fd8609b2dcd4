#include "platform/workload/workload_kind.hpp"

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
