#include "models/workloads/sparse/kernel_config.hpp"

#include <algorithm>

namespace heddle {

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
  config.engine = compute_engines().front();
  if (const auto node = mapping.optional("engine")) {
    std::vector<std::string> names;
    for (const compute_engine& each : compute_engines()) names.push_back(each.name);
    const std::string chosen = as_choice(*node, "engine", names);
    for (const compute_engine& each : compute_engines())
      if (each.name == chosen) config.engine = each;
  }
  if (const auto node = mapping.optional("saopt")) config.compares_saopt = as_bool(*node);
  if (kernel != sparse_kernel::spmv) return config;
  if (mapping.has("k") && gather.elements != std::vector<std::uint32_t>{1})
    throw user_error(gather.elements_place, "properties of spmv have one element: leave `k` out");
  gather.elements = {1};
  return config;
}

}  // namespace heddle
