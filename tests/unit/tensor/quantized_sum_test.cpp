// The pipeline of the switch and the quantized ring against their goldens, and both against sums
// that are known.
#include "platform/tensor/quantized_sum.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

#include "models/workloads/collective/golden/golden_quantized.hpp"
#include "platform/tensor/activation.hpp"
#include "platform/tensor/float_bits.hpp"

namespace {

using heddle::dtype;
using heddle::quantization;
using heddle::quantized_tensor;
using heddle::tensor_bytes;

quantized_tensor empty_tensor(const quantization& how, std::size_t elements) {
  return {tensor_bytes(heddle::quantized_bytes(how, elements)),
          tensor_bytes(heddle::scale_bytes(how, elements))};
}

quantized_tensor quantized(const quantization& how, dtype type, const void* input,
                           std::size_t elements) {
  quantized_tensor result = empty_tensor(how, elements);
  heddle::quantize(how, type, input, elements, result.data.data(), result.scales.data());
  return result;
}

std::vector<float> dequantized(const quantization& how, const quantized_tensor& tensor,
                               std::size_t elements) {
  std::vector<float> values(elements);
  heddle::dequantize(how, tensor.data.data(), tensor.scales.data(), elements, values.data());
  return values;
}

std::vector<tensor_bytes> activations(dtype type, std::size_t ranks, std::size_t elements) {
  std::vector<tensor_bytes> tensors;
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    tensors.emplace_back(elements * heddle::size_of(type));
    heddle::fill_activation(type, tensors.back().data(), elements, 5, rank, 0, 1024);
  }
  return tensors;
}

// What the system computes: quantize at every rank, sum in the switch.
quantized_tensor in_switch(const quantization& how, dtype type, const heddle::rank_inputs& inputs,
                           std::size_t elements) {
  std::vector<quantized_tensor> sent;
  for (const std::byte* input : inputs)
    sent.push_back(input == nullptr ? quantized_tensor{} : quantized(how, type, input, elements));
  std::vector<heddle::quantized_view> views;
  for (std::size_t rank = 0; rank < inputs.size(); ++rank)
    views.push_back(inputs[rank] == nullptr
                        ? heddle::quantized_view{}
                        : heddle::quantized_view{sent[rank].data.data(), sent[rank].scales.data()});
  quantized_tensor result = empty_tensor(how, elements);
  heddle::quantized_sum(how, views.data(), views.size(), elements, result.data.data(),
                        result.scales.data());
  return result;
}

// One element a rank, INT8: the dequantized sum.
float sum_of(const std::vector<std::optional<float>>& slots) {
  heddle::rank_inputs inputs;
  for (const auto& each : slots)
    inputs.push_back(each ? reinterpret_cast<const std::byte*>(&*each) : nullptr);
  const quantization how{8, 32};
  const quantized_tensor fast = in_switch(how, dtype::fp32, inputs, 1);
  const quantized_tensor golden = heddle::golden_inq_allreduce(how, dtype::fp32, inputs, 1);
  CHECK(fast.data == golden.data);
  CHECK(fast.scales == golden.scales);
  return dequantized(how, fast, 1)[0];
}

// Ranks, links and messages as they are: every rank has its partial sums and an inbox.
std::vector<float> play_quantized_ring(const quantization& how, dtype type,
                                       const std::vector<tensor_bytes>& inputs,
                                       std::size_t elements) {
  const std::size_t ranks = inputs.size();
  const auto chunk = [&](std::size_t c) { return heddle::chunk_range(elements, ranks, c); };
  std::vector<std::vector<float>> own(ranks, std::vector<float>(elements));
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    std::vector<double> wide(elements);
    heddle::to_double(type, inputs[rank].data(), wide.data(), elements);
    std::transform(wide.begin(), wide.end(), own[rank].begin(),
                   [](double value) { return static_cast<float>(value); });
  }
  const auto message_of = [&](std::size_t rank, std::size_t c) {
    return quantized(how, dtype::fp32, own[rank].data() + chunk(c).begin, chunk(c).count);
  };
  for (std::size_t step = 0; step + 1 < ranks; ++step) {
    std::vector<quantized_tensor> inbox(ranks);
    for (std::size_t rank = 0; rank < ranks; ++rank)
      inbox[(rank + 1) % ranks] = message_of(rank, (rank + ranks - step) % ranks);
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      const heddle::element_range range = chunk((rank + 2 * ranks - 1 - step) % ranks);
      const auto received = dequantized(how, inbox[rank], range.count);
      for (std::size_t i = 0; i < range.count; ++i) own[rank][range.begin + i] += received[i];
    }
  }
  std::vector<float> result(elements);
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    const std::size_t c = heddle::ring_complete_chunk(ranks, rank);
    const auto gathered = dequantized(how, message_of(rank, c), chunk(c).count);
    std::copy(gathered.begin(), gathered.end(),
              result.begin() + static_cast<std::ptrdiff_t>(chunk(c).begin));
  }
  return result;
}

constexpr float big = 65504.0f * 127;  // INT8 times the largest scale
constexpr float tiny = 127 * 0x1p-24f;

}  // namespace

TEST_CASE("eight equal blocks sum to eight times the scale", "[tensor]") {
  CHECK(sum_of(std::vector<std::optional<float>>(8, 127.0f)) == 1016);
  CHECK(sum_of({1.0f}) == Approx(1).epsilon(1e-3));
}

TEST_CASE("slots meet in a binary tree, absent ones pass their partner on", "[tensor]") {
  const std::optional<float> absent;
  CHECK(sum_of({big, tiny, -big, tiny}) == 0);
  CHECK(sum_of({big, -big, tiny, tiny}) == 2 * tiny);
  CHECK(sum_of({big, -big, tiny}) == tiny);
  CHECK(sum_of({tiny, big, -big}) == 0);
  CHECK(sum_of({big, absent, -big, tiny}) == 0);
  CHECK(sum_of({absent, big, absent, -big, tiny}) == tiny);
  CHECK(sum_of({big, tiny, absent, absent, -big}) == 0);
  CHECK(sum_of({absent, absent, absent, tiny}) == tiny);
}

TEST_CASE("a NaN of one rank reaches the block's sum", "[tensor]") {
  CHECK(std::isnan(sum_of({1.0f, std::nanf(""), 2.0f})));
  CHECK(std::isnan(sum_of({std::numeric_limits<float>::infinity(), 1.0f})));
}

TEST_CASE("the switch's pipeline equals its golden", "[tensor]") {
  const auto type = GENERATE(dtype::fp16, dtype::bf16, dtype::fp32);
  const quantization how{GENERATE(8u, 4u), GENERATE(as<std::size_t>{}, 32, 64, 512)};
  const auto ranks = GENERATE(as<std::size_t>{}, 1, 2, 3, 7, 8, 16);
  const auto elements = GENERATE(as<std::size_t>{}, 1, 33, 4099);
  const auto tensors = activations(type, ranks, elements);
  heddle::rank_inputs inputs;
  for (const auto& each : tensors) inputs.push_back(each.data());
  if (ranks > 2) inputs[ranks / 2] = nullptr;
  const quantized_tensor fast = in_switch(how, type, inputs, elements);
  const quantized_tensor golden = heddle::golden_inq_allreduce(how, type, inputs, elements);
  CHECK(fast.data == golden.data);
  CHECK(fast.scales == golden.scales);
}

TEST_CASE("waves of whole blocks sum as the whole tensor, in the place of an input", "[tensor]") {
  const quantization how{GENERATE(8u, 4u), 64};
  constexpr std::size_t elements = 1000;
  constexpr std::size_t wave = 256;
  const auto tensors = activations(dtype::fp16, 2, elements);
  auto first = quantized(how, dtype::fp16, tensors[0].data(), elements);
  const auto second = quantized(how, dtype::fp16, tensors[1].data(), elements);
  const auto whole = in_switch(how, dtype::fp16, {tensors[0].data(), tensors[1].data()}, elements);
  for (std::size_t begin = 0; begin < elements; begin += wave) {
    const std::size_t data = heddle::quantized_bytes(how, begin);
    const std::size_t scale = heddle::scale_bytes(how, begin);
    const heddle::quantized_view views[] = {
        {first.data.data() + data, first.scales.data() + scale},
        {second.data.data() + data, second.scales.data() + scale}};
    heddle::quantized_sum(how, views, 2, std::min(wave, elements - begin), first.data.data() + data,
                          first.scales.data() + scale);
  }
  CHECK(first.data == whole.data);
  CHECK(first.scales == whole.scales);
}

TEST_CASE("quantized ring golden equals the ring played step by step", "[tensor]") {
  const auto type = GENERATE(dtype::fp16, dtype::bf16, dtype::fp32);
  const quantization how{GENERATE(8u, 4u), GENERATE(as<std::size_t>{}, 32, 256)};
  const auto ranks = GENERATE(as<std::size_t>{}, 1, 2, 3, 8);
  const auto elements = GENERATE(as<std::size_t>{}, 3, 5003);
  const auto tensors = activations(type, ranks, elements);
  heddle::rank_inputs inputs;
  for (const auto& each : tensors) inputs.push_back(each.data());
  const auto played = play_quantized_ring(how, type, tensors, elements);
  const auto golden =
      heddle::golden_ring_quantized_allreduce(how, type, inputs, elements, dtype::fp32);
  REQUIRE(golden.size() == elements * 4);
  CHECK(std::memcmp(golden.data(), played.data(), golden.size()) == 0);
  const auto narrow =
      heddle::golden_ring_quantized_allreduce(how, type, inputs, elements, dtype::fp16);
  CHECK(narrow.size() == elements * 2);
}
