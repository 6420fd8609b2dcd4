// How long a node computes on its nonzeros once their properties are there: a roofline for each
// batch, and what overlaps with communication.
//
//   seconds of a batch = max(operations / peak, bytes / memory bandwidth)
//
// Bytes are 8 for a nonzero (column and value), those of the rows that are read or written, and a
// property for each miss of a cache that sees the columns in their order. The engine takes one
// batch after the other, each when its properties are there.
//
// Limitations: the source prints clock, processing elements and memory bandwidth alone (NetSparse
// Table 5, 9.6). Caches, 16 lanes a processing element, and the cores' vector units are assumed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/sparse/nonzero_source.hpp"

namespace heddle {

enum class sparse_kernel { spmv, spmm, sddmm };

struct compute_engine {
  std::string name;
  double operations = 0;          // a second, single precision; a multiply-add is two
  double memory = 0;              // B/s
  std::uint64_t cache_bytes = 0;  // 8 ways, lines of 64 bytes, least recently used
};

// "accelerator" (128 SPADE PEs), "cpu_ddr" (48 cores), "cpu_hbm" (56 cores).
const std::vector<compute_engine>& compute_engines();

struct batch_work {
  std::uint64_t nonzeros = 0;
  std::uint64_t rows = 0;    // that have nonzeros in the batch, at least in part
  std::uint64_t misses = 0;  // properties that the cache did not hold
};

// Of a node's nonzeros in batches of that many. An element has 4 bytes.
std::vector<batch_work> batches_of(const nonzero_source& source, std::uint32_t node,
                                   std::uint32_t batch, std::uint32_t elements,
                                   const compute_engine& engine);

double seconds_of(const batch_work& work, sparse_kernel kernel, std::uint32_t elements,
                  const compute_engine& engine);

// When the engine has done the last of the batches, each of which is ready at its time.
double overlapped_end(const std::vector<double>& ready, const std::vector<double>& seconds);

}  // namespace heddle
