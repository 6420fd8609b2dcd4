#include "models/workloads/gemm/gemm_model.hpp"

#include <algorithm>

#include "models/workloads/collective/mesh_laws.hpp"

namespace heddle {
namespace {

constexpr std::uint64_t beat_bytes = 64;

struct gemm_case {
  double side, tiles;      // of the mesh
  double bytes, elements;  // of a tile of a matrix
  std::uint64_t width, beats;
};

// Copies of one line of a binary tree, in the hops between the first and the last router.
double hops_of_tree(std::uint64_t length) {
  double hops = 0;
  for (std::uint64_t distance = length / 2, copies = 1; distance > 0; distance /= 2, copies *= 2)
    hops += static_cast<double>(copies * (distance - 1));
  return hops;
}

bool is_tree_faster(double tree, double sequential) {
  return tree <= sequential;
}

// As many lines for A as for B.
void count_multicasts(gemm_counts& counts, const gemm_case& of, gemm_version version) {
  const double bytes = 2 * of.side * of.bytes;
  const bool is_tree = is_tree_faster(mesh_laws::multicast_tree(of.width, of.beats),
                                      mesh_laws::multicast_sequential(of.width, of.beats));
  counts.dma_load += bytes;
  counts.spm_write += (of.side - 1) * bytes;
  if (version == gemm_version::hardware) {
    counts.dma_store += bytes;
    counts.hop += (of.side - 1) * bytes;
  } else {
    counts.dma_store += (of.side - 1) * bytes;
    if (is_tree) counts.hop += hops_of_tree(of.width) * bytes;
  }
}

// Each tile's B, from the memory tile of its row.
void count_loads(gemm_counts& counts, const gemm_case& of) {
  counts.dma_load += of.tiles * of.bytes;
  counts.hop += of.side * of.side * (of.side - 1) / 2 * of.bytes;
}

void count_reduction(gemm_counts& counts, const gemm_case& of, gemm_version version) {
  const double sums = (of.tiles - 1) * of.elements;
  counts.dma_store += of.bytes;  // of the result
  if (version == gemm_version::hardware) {
    counts.dma_store += 2 * (of.side + 1) * of.bytes;
    counts.spm_write += (of.side + 1) * of.bytes;
    counts.dca_reduce += sums;
    return;
  }
  const bool is_tree =
      is_tree_faster(mesh_laws::reduction_tree(of.width, of.width, of.beats),
                     mesh_laws::reduction_sequential(of.width, of.width, of.beats));
  counts.dma_store += (of.tiles - 1) * of.bytes;
  counts.spm_write += (of.tiles - 1) * of.bytes;
  if (is_tree) counts.hop += (of.side + 1) * hops_of_tree(of.width) * of.bytes;
  counts.sw_reduce += sums;
}

double multicast_time(const gemm_case& of, gemm_version version) {
  if (version == gemm_version::hardware) return mesh_laws::multicast_hardware(of.width, of.beats);
  return std::min(mesh_laws::multicast_tree(of.width, of.beats),
                  mesh_laws::multicast_sequential(of.width, of.beats));
}

double reduction_time(const gemm_case& of, gemm_version version) {
  if (version == gemm_version::hardware) return mesh_laws::reduction_hardware(of.width, of.beats);
  return std::min(mesh_laws::reduction_tree(of.width, of.width, of.beats),
                  mesh_laws::reduction_sequential(of.width, of.width, of.beats));
}

}  // namespace

double gemm_counts::joules(const gemm_machine& machine) const {
  return 1e-12 * (dma_load * machine.dma_load + dma_store * machine.dma_store + hop * machine.hop +
                  spm_write * machine.spm_write + gemm * machine.gemm +
                  sw_reduce * machine.sw_reduce + dca_reduce * machine.dca_reduce);
}

gemm_estimate estimate_gemm(gemm_kernel kernel, gemm_version version, std::uint64_t side,
                            std::uint64_t tile, const gemm_machine& machine) {
  const std::uint64_t bytes = tile * tile * sizeof(double);
  const double multiply_adds = static_cast<double>(tile * tile * tile);
  const gemm_case of{static_cast<double>(side),
                     static_cast<double>(side * side),
                     static_cast<double>(bytes),
                     static_cast<double>(tile * tile),
                     side,
                     (bytes + beat_bytes - 1) / beat_bytes};
  gemm_estimate found;
  found.compute = 2 * multiply_adds / (machine.utilization * machine.flops_per_cycle);
  found.counts.gemm = of.tiles * multiply_adds;
  if (kernel == gemm_kernel::summa) {
    found.communication = 2 * multicast_time(of, version);  // Eq 9
    found.time = std::max(found.compute, found.communication);
    count_multicasts(found.counts, of, version);
  } else {
    const double load = of.side * static_cast<double>(of.beats);  // of a memory tile's row
    found.communication = reduction_time(of, version);
    found.time = std::max(found.compute, load) + found.communication;
    count_loads(found.counts, of);
    count_reduction(found.counts, of, version);
  }
  found.utilization = 2 * multiply_adds / (machine.flops_per_cycle * found.time);
  return found;
}

}  // namespace heddle
