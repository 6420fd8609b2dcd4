// How a sparse kernel ends on all nodes: each computes on a batch as soon as its properties are
// there, while others are still gathered. Beside it what the same computation takes on one node,
// without communication, and behind software.
//
// Limitations: SUOpt and SAOpt overlap their communication with the computation perfectly, which
// the source does not say. One node holds all properties and has a single engine.
#pragma once

#include <cstdint>
#include <vector>

#include "models/sparse/compute_engine.hpp"
#include "models/sparse/matrix_structure.hpp"

namespace heddle {

// Seconds that the engine needs for each batch of each node.
using batch_seconds = std::vector<std::vector<double>>;
batch_seconds seconds_of_batches(const nonzero_source& source, std::uint32_t batch,
                                 std::uint32_t elements, sparse_kernel kernel,
                                 const compute_engine& engine);

struct kernel_times {
  double end_to_end = 0;
  double compute = 0;        // of the node that computes longest, without communication
  double one_node = 0;       // all of it on one node
  double suopt = 0;          // end to end
  double saopt = 0;          // 0: not asked for
  std::size_t tail = 0;      // node that ends last
  double tail_gathered = 0;  // s, when its last batch was there

  double speed_up() const { return one_node / end_to_end; }
};

// Seconds until every node had gathered its last batch: of the last node, over the mean of all that
// have batches. 1: all end at once.
double gathering_imbalance(const batch_seconds& ready);

// `ready` as `compute`, in seconds since the first node began. `saopt` by node, or empty.
kernel_times kernel_times_of(const batch_seconds& ready, const batch_seconds& compute, double suopt,
                             const std::vector<double>& saopt);

}  // namespace heddle
