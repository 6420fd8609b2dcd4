#include "models/workloads/collective/golden/golden_quantized.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <optional>

#include "platform/tensor/float_bits.hpp"

namespace heddle {
namespace {

// fp32 holds every fp16, bf16 and fp32 exactly.
std::vector<float> values_of(dtype type, const std::byte* input, std::size_t elements) {
  std::vector<double> wide(elements);
  to_double(type, input, wide.data(), elements);
  std::vector<float> values(elements);
  std::transform(wide.begin(), wide.end(), values.begin(),
                 [](double value) { return static_cast<float>(value); });
  return values;
}

std::uint16_t scale_of_block(const quantization& how, const float* values, std::size_t count) {
  float largest = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (!std::isfinite(values[i])) return fp16_format::quiet_nan;
    largest = std::max(largest, std::fabs(values[i]));
  }
  if (largest == 0) return 0;
  const std::uint16_t scale = fp32_to_fp16(largest / static_cast<float>(how.limit()));
  if (scale == 0) return 1;                                               // 2^-24
  return scale == fp16_format::infinity ? std::uint16_t{0x7bff} : scale;  // 65504
}

int code_of(const quantization& how, float value, std::uint16_t scale) {
  if (scale == 0 || scale == fp16_format::quiet_nan) return 0;
  const auto limit = static_cast<float>(how.limit());
  const float rounded = std::nearbyint(value / fp16_to_fp32(scale));
  return static_cast<int>(std::clamp(rounded, -limit, limit));
}

void put_code(const quantization& how, tensor_bytes& data, std::size_t element, int code) {
  if (how.bits == 8)
    data[element] = static_cast<std::byte>(code);
  else if (element % 2 == 0)
    data[element / 2] = static_cast<std::byte>(code & 0xf);
  else
    data[element / 2] |= static_cast<std::byte>((code & 0xf) << 4);
}

int code_at(const quantization& how, const tensor_bytes& data, std::size_t element) {
  if (how.bits == 8) return static_cast<std::int8_t>(data[element]);
  const int both = std::to_integer<int>(data[element / 2]);
  const int nibble = element % 2 == 0 ? both & 0xf : both >> 4;
  return nibble < 8 ? nibble : nibble - 16;
}

quantized_tensor quantize_values(const quantization& how, const std::vector<float>& values) {
  quantized_tensor result{tensor_bytes(quantized_bytes(how, values.size())),
                          tensor_bytes(scale_bytes(how, values.size()))};
  for (std::size_t block = 0; block < how.blocks(values.size()); ++block) {
    const std::size_t begin = block * how.block;
    const std::size_t end = std::min(begin + how.block, values.size());
    const std::uint16_t scale = scale_of_block(how, values.data() + begin, end - begin);
    std::memcpy(result.scales.data() + block * sizeof scale, &scale, sizeof scale);
    for (std::size_t i = begin; i < end; ++i)
      put_code(how, result.data, i, code_of(how, values[i], scale));
  }
  return result;
}

std::vector<float> dequantize_values(const quantization& how, const quantized_tensor& tensor,
                                     std::size_t elements) {
  std::vector<float> values(elements);
  for (std::size_t i = 0; i < elements; ++i) {
    std::uint16_t scale;
    std::memcpy(&scale, tensor.scales.data() + i / how.block * sizeof scale, sizeof scale);
    const float value = static_cast<float>(code_at(how, tensor.data, i)) * fp16_to_fp32(scale);
    values[i] = std::isnan(value) ? float_of(fp32_format::quiet_nan) : value;
  }
  return values;
}

// Level by level: neighbors meet, and what has no partner moves on.
float tree_sum(std::vector<std::optional<float>>& leaves) {
  for (std::size_t distance = 1; distance < leaves.size(); distance *= 2) {
    for (std::size_t left = 0; left + distance < leaves.size(); left += 2 * distance) {
      const std::optional<float>& right = leaves[left + distance];
      if (!leaves[left])
        leaves[left] = right;
      else if (right)
        leaves[left] = *leaves[left] + *right;
    }
  }
  return leaves.front().value();
}

tensor_bytes as_type(dtype type, const std::vector<float>& values) {
  tensor_bytes result(values.size() * size_of(type));
  from_float(type, values.data(), result.data(), values.size());
  return result;
}

}  // namespace

quantized_tensor golden_quantize(const quantization& how, dtype type, const std::byte* input,
                                 std::size_t elements) {
  return quantize_values(how, values_of(type, input, elements));
}

tensor_bytes golden_dequantize(const quantization& how, const quantized_tensor& tensor,
                               std::size_t elements, dtype type) {
  return as_type(type, dequantize_values(how, tensor, elements));
}

quantized_tensor golden_inq_allreduce(const quantization& how, dtype type,
                                      const rank_inputs& inputs, std::size_t elements) {
  quantized_tensor result;
  for (std::size_t begin = 0; begin < elements; begin += how.block) {
    const std::size_t count = std::min(how.block, elements - begin);
    std::vector<std::vector<std::optional<float>>> slots_of(
        count, std::vector<std::optional<float>>(inputs.size()));
    for (std::size_t rank = 0; rank < inputs.size(); ++rank) {
      if (inputs[rank] == nullptr) continue;
      const std::byte* const input = inputs[rank] + begin * size_of(type);
      const std::vector<float> sent =
          dequantize_values(how, golden_quantize(how, type, input, count), count);
      for (std::size_t i = 0; i < count; ++i) slots_of[i][rank] = sent[i];
    }
    std::vector<float> sums(count);
    std::transform(slots_of.begin(), slots_of.end(), sums.begin(), tree_sum);
    const quantized_tensor block = quantize_values(how, sums);
    result.data.insert(result.data.end(), block.data.begin(), block.data.end());
    result.scales.insert(result.scales.end(), block.scales.begin(), block.scales.end());
  }
  return result;
}

tensor_bytes golden_inq_stripes(const quantization& how, dtype type, const rank_inputs& inputs,
                                std::size_t elements, const reduction_order& order) {
  tensor_bytes result(elements * size_of(type));
  for (const reduction_stripe& each : order.stripes) {
    rank_inputs leaves;
    for (const reduction_node& leaf : each.root.children)
      leaves.push_back(leaf.rank < 0 ? nullptr
                                     : inputs[static_cast<std::size_t>(leaf.rank)] + each.begin);
    const std::size_t count = each.bytes / size_of(type);
    const tensor_bytes part =
        golden_dequantize(how, golden_inq_allreduce(how, type, leaves, count), count, type);
    std::memcpy(result.data() + each.begin, part.data(), part.size());
  }
  return result;
}

tensor_bytes golden_ring_quantized_allreduce(const quantization& how, dtype type,
                                             const rank_inputs& inputs, std::size_t elements,
                                             dtype result_type) {
  const std::size_t ranks = inputs.size();
  assert(ranks > 0);
  tensor_bytes result;
  for (std::size_t chunk = 0; chunk < ranks; ++chunk) {
    const element_range range = chunk_range(elements, ranks, chunk);
    const auto own_of = [&](std::size_t rank) {
      return values_of(type, inputs[rank] + range.begin * size_of(type), range.count);
    };
    quantized_tensor message = quantize_values(how, own_of(chunk));
    for (std::size_t step = 1; step < ranks; ++step) {
      std::vector<float> sum = dequantize_values(how, message, range.count);
      const std::vector<float> own = own_of((chunk + step) % ranks);
      for (std::size_t i = 0; i < range.count; ++i) sum[i] += own[i];
      message = quantize_values(how, sum);
    }
    const tensor_bytes part = golden_dequantize(how, message, range.count, result_type);
    result.insert(result.end(), part.begin(), part.end());
  }
  return result;
}

}  // namespace heddle
