#include "models/workloads/collective/mesh_reference.hpp"

#include "models/workloads/collective/mesh_laws.hpp"

namespace heddle {
namespace {

constexpr std::uint64_t beat_bytes = 64;
constexpr double cycle_s = 1e-9, wide_link = 64e9;  // B/s

bool is_power_of_two(std::uint64_t value) {
  return value != 0 && (value & (value - 1)) == 0;
}

double cycles_of_broadcast(boot_algorithm algorithm, std::uint64_t columns, std::uint64_t rows,
                           std::uint64_t beats) {
  switch (algorithm) {
    case BOOT_MESH_HW:
      return mesh_laws::multicast_hardware(columns + rows - 1, beats);  // Eq 13
    case BOOT_MESH_SEQ:
      return mesh_laws::multicast_sequential(columns, rows, beats);
    case BOOT_MESH_TREE:
      return mesh_laws::multicast_tree(columns, rows, beats);
    default:
      return 0;
  }
}

double cycles_of_reduction(boot_algorithm algorithm, std::uint64_t columns, std::uint64_t rows,
                           std::uint64_t beats) {
  switch (algorithm) {
    case BOOT_MESH_HW:
      return mesh_laws::reduction_hardware(rows, beats);
    case BOOT_MESH_SEQ:
      return mesh_laws::reduction_sequential(columns, rows, beats);
    case BOOT_MESH_TREE:
      return mesh_laws::reduction_tree(columns, rows, beats);
    default:
      return 0;
  }
}

}  // namespace

double law_of_mesh(const collective_config& config, const link_directory& net, std::uint64_t ranks,
                   bool has_memory_tile, std::uint64_t bytes) {
  const std::uint64_t columns = config.columns, rows = ranks / columns;
  const bool has_shape = columns > 1 && is_power_of_two(columns) && is_power_of_two(rows);
  if (!has_shape || config.root != 0 || bytes == 0 || net.widest() != wide_link) return 0;
  const std::uint64_t beats = (bytes + beat_bytes - 1) / beat_bytes;
  if (config.collective == BOOT_BROADCAST && has_memory_tile)
    return cycle_s * cycles_of_broadcast(config.algorithm, columns, rows, beats);
  if (config.collective == BOOT_REDUCE)
    return cycle_s * cycles_of_reduction(config.algorithm, columns, rows, beats);
  return 0;
}

}  // namespace heddle
