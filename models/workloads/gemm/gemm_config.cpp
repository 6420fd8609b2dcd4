#include "models/workloads/gemm/gemm_config.hpp"

#include <fmt/format.h>

#include "platform/text/suggest.hpp"

namespace heddle {
namespace {

constexpr const char* by_copies = "mesh_tree";
constexpr const char* by_routers = "mesh_hw";

boot_algorithm read_version(const yaml_node& node, const gemm_config& config) {
  const std::string name = as_text(node);
  if (name == by_copies) return BOOT_MESH_TREE;
  if (name == by_routers) return BOOT_MESH_HW;
  throw user_error(
      node.place(),
      fmt::format("there is no {} by {}: expected {} or {}{}", name_of_kernel(config.kernel), name,
                  by_copies, by_routers, did_you_mean(name, {by_copies, by_routers})));
}

// Edges of square tiles of C: what a GEMM has instead of `bytes`.
void read_tiles(const yaml_node& node, gemm_config& config) {
  constexpr std::int64_t largest = 4096;
  config.tile_place = node.place();
  for (const yaml_node& item : as_list(node))
    config.tiles.push_back(static_cast<std::uint32_t>(as_integer(item, 1, largest)));
  if (config.tiles.empty()) throw user_error(node.place(), "expected a tile");
}

void refuse_other_than(yaml_mapping& mapping, const char* key, const char* only) {
  const auto n = mapping.optional(key);
  if (n && as_text(*n) != only)
    throw user_error(n->place(), "a GEMM multiplies and adds doubles: `dtype: fp64`, `op: sum`");
}

}  // namespace

const std::vector<std::string>& gemm_kernel_names() {
  static const std::vector<std::string> names = {"summa", "fused_concat_linear"};
  return names;
}

const char* name_of_kernel(boot_collective kernel) {
  return gemm_kernel_names()[kernel == BOOT_SUMMA ? 0 : 1].c_str();
}

const char* name_of_version(boot_algorithm algorithm) {
  return algorithm == BOOT_MESH_HW ? by_routers : by_copies;
}

gemm_config read_gemm(yaml_mapping& mapping, const workload_settings& settings) {
  constexpr std::int64_t most = 1'000'000;
  gemm_config config;
  config.place = config.algorithm_place = settings.place;
  config.ranks_place = settings.ranks_place;
  const std::string kernel =
      as_choice(mapping.required("collective"), "collective", gemm_kernel_names());
  config.kernel = kernel == gemm_kernel_names().front() ? BOOT_SUMMA : BOOT_FUSED_CONCAT_LINEAR;
  if (const auto n = mapping.optional("algorithm")) {
    config.algorithm_place = n->place();
    config.algorithms.clear();
    for (const yaml_node& each : as_list(*n))
      config.algorithms.push_back(read_version(each, config));
    if (config.algorithms.empty()) throw user_error(n->place(), "expected an algorithm");
  }
  refuse_other_than(mapping, "dtype", "fp64");
  refuse_other_than(mapping, "op", "sum");
  read_tiles(mapping.required("tile"), config);
  read_integer(mapping.optional("iterations"), config.iterations, 1, most);
  read_integer(mapping.optional("repeat"), config.repeat, 1, most);
  return config;
}

}  // namespace heddle
