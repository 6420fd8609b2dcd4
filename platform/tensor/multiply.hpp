// Products of matrices with a defined order of additions. Matrices are row by row, without gaps.
#pragma once

#include <cstddef>

namespace heddle {

// c (rows x columns) += a (rows x depth) b (depth x columns). Each element is one chain of fused
// multiply-adds, c = fma(a[k], b[k], c) with k = 0, 1, 2, ...
void multiply_add(const double* a, const double* b, double* c, std::size_t rows,
                  std::size_t columns, std::size_t depth);

// sums[i] = fma(x, row[i], sums[i]): one step of the chains of so many elements.
void multiply_add(float x, const float* row, float* sums, std::size_t columns);

}  // namespace heddle
