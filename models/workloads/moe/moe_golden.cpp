#include "models/workloads/moe/moe_golden.hpp"

#include <algorithm>
#include <cmath>

#include "models/gpu/hub/expert_math.hpp"
#include "platform/tensor/convert.hpp"
#include "platform/tensor/random.hpp"

namespace heddle {
namespace {

// Tensors of one layer are told apart by numbers.
constexpr std::uint64_t weights_number = 1ULL << 40;

}  // namespace

moe_golden::moe_golden(const moe_shape& shape, const expert_routing& routing, moe_traffic traffic,
                       bool has_gemms, std::uint64_t seed)
    : shape_(shape),
      routing_(routing),
      sums_in_switch_(traffic != moe_traffic::copies),
      has_gemms_(has_gemms),
      seed_(seed),
      known_weights_(shape.experts) {}

std::vector<std::byte> moe_golden::input(std::uint32_t token) const {
  std::vector<std::byte> bits(shape_.vector_bytes());
  fill_uniform(dtype::bf16, bits.data(), shape_.hidden, seed_, token);
  return bits;
}

float moe_golden::gate(std::uint32_t token, std::uint32_t expert) const {
  constexpr std::uint32_t steps = 8, mixing = 2654435761U;
  const std::uint32_t mixed =
      (token * mixing) ^ (expert * 40503U) ^ static_cast<std::uint32_t>(seed_);
  return static_cast<float>(1 + (mixed >> 13) % steps) / static_cast<float>(steps);
}

std::vector<std::byte> moe_golden::weights(std::uint32_t expert) const {
  const std::size_t elements = 2 * std::size_t{shape_.hidden} * shape_.ffn;
  std::vector<std::byte> bits(elements * size_of(dtype::bf16));
  fill_uniform(dtype::bf16, bits.data(), elements, seed_, weights_number + expert);
  return bits;
}

const std::vector<std::byte>& moe_golden::weights_of(std::uint32_t expert) {
  std::vector<std::byte>& known = known_weights_[expert];
  if (known.empty()) known = weights(expert);
  return known;
}

std::vector<std::byte> moe_golden::output(std::uint32_t token, std::uint32_t expert) {
  const std::vector<std::byte> x = input(token);
  std::vector<std::byte> y(x.size());
  if (!has_gemms_) {
    scale_vector(x.data(), gate(token, expert), shape_.hidden, y.data());
    return y;
  }
  const std::vector<std::byte>& matrices = weights_of(expert);
  multiply_vector(x.data(), {matrices.data(), matrices.data() + matrices.size() / 2},
                  gate(token, expert), shape_.hidden, shape_.ffn, y.data());
  return y;
}

moe_golden::result moe_golden::of(std::uint32_t token) {
  const std::uint32_t home = token / shape_.tokens;
  result expected;
  expected.exact.assign(shape_.hidden, 0);
  expected.magnitudes.assign(shape_.hidden, 0);
  std::vector<std::vector<float>> of_gpu(shape_.gpus);
  for (const std::uint16_t expert : routing_.of(token)) {
    const std::vector<std::byte> y = output(token, expert);
    std::vector<float>& sum = of_gpu[expert / shape_.experts_per_gpu()];
    sum.resize(shape_.hidden);
    add_vector(y.data(), sum);
    std::vector<double> values(shape_.hidden);
    to_double(dtype::bf16, y.data(), values.data(), values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      expected.exact[i] += values[i];
      expected.magnitudes[i] += std::abs(values[i]);
    }
  }
  expected.bits = rounded_sum(of_gpu, home);
  return expected;
}

// What an expert has for a token is rounded three times at most: in the sum of its GPU, in the sum
// or the part of it that a switch sends, and in the result. That holds for a part that leaves a
// full reduction buffer early, as for one that is passed on behind it, which the switch does not
// round. Rounding to nearest changes a value by u / (1 + u) of it at most, and three such factors
// differ from 1 by less than 3 u. Errors of the additions in FP32 are 2^16 times smaller.
moe_difference moe_golden::result::difference(const std::vector<std::byte>& got) const {
  constexpr double unit_roundoff = 0x1p-8;  // of BF16
  constexpr double bound = 3 * unit_roundoff;
  std::vector<double> values(exact.size());
  to_double(dtype::bf16, got.data(), values.data(), values.size());
  moe_difference found;
  found.is_same = got == bits;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double error = std::abs(values[i] - exact[i]);
    found.is_within &= error <= bound * magnitudes[i];
    if (magnitudes[i] > 0) found.error = std::max(found.error, error / magnitudes[i]);
  }
  return found;
}

// Other GPUs' sums are rounded for the wire; what the switch has added is, too.
std::vector<std::byte> moe_golden::rounded_sum(const std::vector<std::vector<float>>& of_gpu,
                                               std::uint32_t home) const {
  std::vector<std::byte> rounded(shape_.vector_bytes());
  std::vector<float> all(shape_.hidden);
  for (std::uint32_t gpu = 0; gpu < shape_.gpus; ++gpu) {
    if (gpu == home || of_gpu[gpu].empty()) continue;
    narrow(dtype::bf16, of_gpu[gpu].data(), rounded.data(), shape_.hidden);
    add_vector(rounded.data(), all);
  }
  if (sums_in_switch_) {
    narrow(dtype::bf16, all.data(), rounded.data(), shape_.hidden);
    std::fill(all.begin(), all.end(), 0.0F);
    add_vector(rounded.data(), all);
  }
  if (!of_gpu[home].empty())
    for (std::size_t i = 0; i < all.size(); ++i) all[i] += of_gpu[home][i];
  narrow(dtype::bf16, all.data(), rounded.data(), shape_.hidden);
  return rounded;
}

}  // namespace heddle
