#include "models/gpu/hub/expert_math.hpp"

#include "platform/tensor/convert.hpp"
#include "platform/tensor/multiply.hpp"

namespace heddle {
namespace {

// x[depth] times a matrix [depth][columns] of BF16.
std::vector<float> product(const std::vector<float>& x, const std::byte* matrix,
                           std::size_t columns) {
  std::vector<float> sums(columns), row(columns);
  for (std::size_t k = 0; k < x.size(); ++k) {
    widen(dtype::bf16, matrix + k * columns * size_of(dtype::bf16), row.data(), columns);
    multiply_add(x[k], row.data(), sums.data(), columns);
  }
  return sums;
}

}  // namespace

void scale_vector(const std::byte* x, float gate, std::size_t hidden, std::byte* y) {
  std::vector<float> values(hidden);
  widen(dtype::bf16, x, values.data(), hidden);
  for (float& each : values) each *= gate;
  narrow(dtype::bf16, values.data(), y, hidden);
}

void multiply_vector(const std::byte* x, const expert_weights_view& weights, float gate,
                     std::size_t hidden, std::size_t ffn, std::byte* y) {
  std::vector<float> values(hidden), inner(ffn);
  widen(dtype::bf16, x, values.data(), hidden);
  const std::vector<float> wide = product(values, weights.first, ffn);
  std::vector<std::byte> rounded(ffn * size_of(dtype::bf16));
  narrow(dtype::bf16, wide.data(), rounded.data(), ffn);
  widen(dtype::bf16, rounded.data(), inner.data(), ffn);
  values = product(inner, weights.second, hidden);
  for (float& each : values) each *= gate;
  narrow(dtype::bf16, values.data(), y, hidden);
}

void add_vector(const std::byte* x, std::vector<float>& sum) {
  std::vector<float> values(sum.size());
  widen(dtype::bf16, x, values.data(), values.size());
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += values[i];
}

}  // namespace heddle
