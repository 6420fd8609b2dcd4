#include "models/workloads/collective/slot_size.hpp"

#include <algorithm>

#include "models/workloads/collective/mesh_laws.hpp"

namespace heddle {
namespace {

constexpr std::uint64_t line_bytes = 64;

// The batch with which the literature's law for the algorithm is least: baselines are to be at
// their best without a search.
std::uint64_t batch_of_mesh(const collective_config& of, std::uint64_t ranks, std::uint64_t bytes) {
  const std::uint64_t columns = of.columns, rows = ranks / columns;
  const std::uint64_t beats = std::max<std::uint64_t>(1, (bytes + line_bytes - 1) / line_bytes);
  if (of.collective == BOOT_BROADCAST)
    return line_bytes * mesh_laws::best_batch_of_multicast(columns, rows, beats);
  if (of.algorithm == BOOT_MESH_SEQ)
    return line_bytes * mesh_laws::best_batch_of_sequential_reduction(columns, rows, beats);
  return line_bytes * mesh_laws::best_batch_of_tree_reduction(beats);
}

bool passes_batches_on(const collective_config& of) {
  const bool is_mesh = of.algorithm == BOOT_MESH_SEQ || of.algorithm == BOOT_MESH_TREE;
  return is_mesh && (of.collective == BOOT_BROADCAST || of.collective == BOOT_REDUCE ||
                     of.collective == BOOT_ALLREDUCE);
}

}  // namespace

// Four pieces a chunk overlap sending and reducing. Below 32 KiB the firmware's work for a piece
// takes longer than the piece; above 512 KiB filling the pipeline does.
std::uint64_t piece_of_ring(std::uint64_t ranks, std::uint64_t bytes) {
  constexpr std::uint64_t smallest = 32 * 1024, largest = 512 * 1024;
  const std::uint64_t quarter = std::clamp(bytes / ranks / 4, smallest, largest);
  return (quarter + line_bytes - 1) / line_bytes * line_bytes;
}

std::uint64_t slot_size(const collective_config& of, std::uint64_t ranks, std::uint64_t bytes) {
  if (of.slot_bytes != 0) return of.slot_bytes;
  return passes_batches_on(of) ? batch_of_mesh(of, ranks, bytes) : piece_of_ring(ranks, bytes);
}

}  // namespace heddle
