// Sparse kernels in the order that is defined here, in single precision, and in float64 to compare
// with. Properties have K elements.
//
//   SpMM    C(i, k) = sum over the nonzeros of row i, as they come, of A(i, j) B(j, k)
//   SpMV    the same with K = 1
//   SDDMM   C(i, j) = A(i, j) times the sum over k from 0 on of X(i, k) B(j, k), for each nonzero
//
// Sums are fused multiply-adds one after the other, from 0.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "models/sparse/compute_engine.hpp"
#include "models/sparse/nonzero_source.hpp"

namespace heddle {

// Elements of B or X: property of a column, or of a row, from 0 in the whole matrix.
using property_reader = std::function<const float*(std::uint64_t index)>;

struct kernel_operands {
  const nonzero_source* matrix = nullptr;
  std::uint32_t elements = 1;
  property_reader gathered;  // B
  property_reader own;       // X, for SDDMM
};

// The results for the rows of one node: of SpMM rows_of(node) x K numbers, of SDDMM one for each
// nonzero.
std::vector<float> kernel_in_order(const kernel_operands& of, sparse_kernel kernel,
                                   std::uint32_t node);
std::vector<double> kernel_in_double(const kernel_operands& of, sparse_kernel kernel,
                                     std::uint32_t node);

// Bound on the difference of the two, element by element: what single precision can lose in sums
// of so many products of such sizes. Infinite where they may overflow: then there is none.
std::vector<double> kernel_error_bound(const kernel_operands& of, sparse_kernel kernel,
                                       std::uint32_t node);

}  // namespace heddle
