#include "models/workloads/sparse/kernel_config.hpp"

#include <algorithm>
#include <string>

namespace heddle {
namespace {

const compute_engine& read_engine(const yaml_node& node) {
  const std::vector<compute_engine>& known = compute_engines();
  std::vector<std::string> names;
  for (const compute_engine& each : known) names.push_back(each.name);
  const std::string chosen = as_choice(node, "engine", names);
  return *std::find_if(known.begin(), known.end(),
                       [&](const compute_engine& each) { return each.name == chosen; });
}

}  // namespace

const char* name_of(sparse_kernel kernel) {
  switch (kernel) {
    case sparse_kernel::spmv:
      return "spmv";
    case sparse_kernel::spmm:
      return "spmm";
    case sparse_kernel::sddmm:
      return "sddmm";
  }
  return "";
}

kernel_config read_kernel(sparse_kernel kernel, yaml_mapping& mapping, gather_config& gather) {
  kernel_config config;
  config.kernel = kernel;
  config.engines = {compute_engines().front()};
  if (const auto node = mapping.optional("engine")) {
    config.engines.clear();
    for (const yaml_node& each : as_list(*node)) config.engines.push_back(read_engine(each));
    if (config.engines.empty()) throw user_error(node->place(), "expected an engine");
  }
  if (const auto node = mapping.optional("engine_cache"))
    for (compute_engine& each : config.engines) each.cache_bytes = as_bytes(*node);
  if (const auto node = mapping.optional("saopt")) config.compares_saopt = as_bool(*node);
  if (const auto node = mapping.optional("saopt_overhead")) {
    if (!config.compares_saopt)
      throw user_error(node->place(), "`saopt_overhead` is of SAOpt: `saopt: true`");
    config.software.request_overhead = seconds(as_duration(*node));
  }
  if (kernel != sparse_kernel::spmv) return config;
  if (mapping.has("k") && gather.elements != std::vector<std::uint32_t>{1})
    throw user_error(gather.elements_place, "properties of spmv have one element: leave `k` out");
  gather.elements = {1};
  return config;
}

}  // namespace heddle
