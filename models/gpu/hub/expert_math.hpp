// What an expert computes of a real token vector, with a defined order of operations, so that
// results can be compared bit for bit whatever the order in which tokens come.
#pragma once

#include <cstddef>
#include <vector>

namespace heddle {

// Both matrices row by row, in BF16: W1[hidden][ffn], W2[ffn][hidden].
struct expert_weights_view {
  const std::byte* first = nullptr;
  const std::byte* second = nullptr;
};

// y = gate * x, rounded to BF16. x and y are `hidden` elements of BF16.
void scale_vector(const std::byte* x, float gate, std::size_t hidden, std::byte* y);

// y = gate * (h W2), h = x W1 rounded to BF16: each element is one chain of fused multiply-adds in
// FP32, in ascending order of the inner index, and is rounded once.
void multiply_vector(const std::byte* x, const expert_weights_view& weights, float gate,
                     std::size_t hidden, std::size_t ffn, std::byte* y);

// sum += x, in FP32.
void add_vector(const std::byte* x, std::vector<float>& sum);

}  // namespace heddle
