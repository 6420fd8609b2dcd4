#include "platform/tensor/multiply.hpp"

#include <cmath>

#include "platform/tensor/vector_clones.hpp"

namespace heddle {

// By rows of b, which does not change the order within an element.
HEDDLE_CLONE_FOR_VECTORS void multiply_add(const double* a, const double* b, double* c,
                                           std::size_t rows, std::size_t columns,
                                           std::size_t depth) {
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t k = 0; k < depth; ++k)
      for (std::size_t j = 0; j < columns; ++j)
        c[i * columns + j] = std::fma(a[i * depth + k], b[k * columns + j], c[i * columns + j]);
}

HEDDLE_CLONE_FOR_VECTORS void multiply_add(float x, const float* row, float* sums,
                                           std::size_t columns) {
  for (std::size_t i = 0; i < columns; ++i) sums[i] = std::fma(x, row[i], sums[i]);
}

}  // namespace heddle
