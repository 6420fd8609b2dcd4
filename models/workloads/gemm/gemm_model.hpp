// What a GEMM on a square mesh of tiles takes by the formulas alone, for meshes that are too large
// to simulate: time (collective NoC Eqs 7-9 and 4.3.2 over mesh_laws.hpp) and energy (4.3.3, Table
// 1).
//
//   SUMMA               one step along K: max(compute, multicast of A + multicast of B)
//   FusedConcatLinear   max(compute, load of B from the memory tiles) + reduction
//
// The energy counts primitives as the source does. In particular a copy of a byte between tiles
// that are d apart is a store, d - 1 hops and a write; a multicast along a line of c tiles is a
// load, a store, c - 1 hops and c - 1 writes, without the way from the memory tile to the line; a
// reduction by the routers is two stores and a write for each row and for the first column, and a
// store, without hops.
#pragma once

#include <cstdint>

namespace heddle {

enum class gemm_kernel { summa, fused_concat_linear };
enum class gemm_version { software, hardware };

// collective NoC 2.2, 4.3.1, Table 1
struct gemm_machine {
  double flops_per_cycle = 16;                                         // of a cluster, FP64
  double utilization = 0.981;                                          // that a cluster reaches
  double dma_load = 2.2, dma_store = 2.4, hop = 1.1, spm_write = 1.8;  // pJ/B
  double gemm = 24.6, sw_reduce = 22.4, dca_reduce = 19.0;             // pJ of an operation
};

// Bytes, then operations (a multiply-add is one).
struct gemm_counts {
  double dma_load = 0, dma_store = 0, hop = 0, spm_write = 0;
  double gemm = 0, sw_reduce = 0, dca_reduce = 0;
  double joules(const gemm_machine& machine) const;
};

struct gemm_estimate {
  double compute = 0;        // cycles
  double communication = 0;  // cycles: SUMMA's multicasts, or the reduction
  double time = 0;           // cycles
  double utilization = 0;    // of the peak
  gemm_counts counts;
};

// `side` tiles by as many, a power of two from 2 on; each multiplies `tile` x `tile` x `tile`.
gemm_estimate estimate_gemm(gemm_kernel kernel, gemm_version version, std::uint64_t side,
                            std::uint64_t tile, const gemm_machine& machine = {});

}  // namespace heddle
