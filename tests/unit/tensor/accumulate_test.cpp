#include "platform/tensor/accumulate.hpp"

#include <catch2/catch.hpp>

#include "models/workloads/collective/golden/golden.hpp"
#include "platform/tensor/compare.hpp"
#include "platform/tensor/random.hpp"

using namespace heddle;

namespace {

std::vector<tensor_bytes> random_tensors(dtype type, std::size_t ranks, std::size_t elements) {
  std::vector<tensor_bytes> tensors;
  for (std::size_t r = 0; r < ranks; ++r) {
    tensors.emplace_back(elements * size_of(type));
    fill_random(type, tensors.back().data(), elements, 7, r);
  }
  return tensors;
}

rank_inputs pointers(const std::vector<tensor_bytes>& tensors) {
  rank_inputs inputs;
  for (const tensor_bytes& each : tensors) inputs.push_back(each.data());
  return inputs;
}

}  // namespace

TEST_CASE("the accumulator equals the plain tree for every type, operator and number of operands") {
  const dtype type = GENERATE(dtype::fp16, dtype::bf16, dtype::fp32, dtype::int32);
  const reduce_op op = GENERATE(reduce_op::sum, reduce_op::min, reduce_op::max);
  const std::size_t ranks = GENERATE(1, 2, 3, 5, 8, 16, 33);
  const std::size_t elements = GENERATE(1, 511, 512, 1300);
  const auto tensors = random_tensors(type, ranks, elements);
  const rank_inputs inputs = pointers(tensors);
  tensor_bytes result(elements * size_of(type));
  accumulate(type, op, inputs, result.data(), elements);
  CHECK(result == golden_tree_allreduce(type, op, inputs, elements));
}

TEST_CASE("absent slots pass their partners through") {
  const unsigned mask = GENERATE(1U, 2U, 0x80U, 0x86U, 0x7eU, 0xa5U, 0x100U);
  const auto tensors = random_tensors(dtype::bf16, 9, 600);
  rank_inputs inputs = pointers(tensors);
  for (std::size_t r = 0; r < inputs.size(); ++r)
    if ((mask >> r & 1) == 0) inputs[r] = nullptr;
  tensor_bytes result(600 * 2);
  accumulate(dtype::bf16, reduce_op::sum, inputs, result.data(), 600);
  CHECK(result == golden_tree_allreduce(dtype::bf16, reduce_op::sum, inputs, 600));
}

TEST_CASE("the tree rounds once") {
  // 2048 + 1 is 2048 in fp16: added one by one, the three ones would be lost.
  const std::vector<std::uint16_t> values = {0x6800, 0x3c00, 0x3c00, 0x3c00};  // 2048, 1, 1, 1
  rank_inputs inputs;
  for (const std::uint16_t& each : values)
    inputs.push_back(reinterpret_cast<const std::byte*>(&each));
  std::uint16_t result = 0;
  accumulate(dtype::fp16, reduce_op::sum, inputs, reinterpret_cast<std::byte*>(&result), 1);
  CHECK(result == 0x6802);  // 2051 lies between 2050 and 2052: ties to even
}

// 4 bits of a register, which need not be a type.
TEST_CASE("an accumulator takes floats of 16 and 32 bits and int32, and nothing else") {
  for (int value = 0; value < 16; ++value) {
    const auto type = static_cast<dtype>(value);
    const bool is_known =
        type == dtype::fp16 || type == dtype::bf16 || type == dtype::fp32 || type == dtype::int32;
    CHECK(can_accumulate(type) == is_known);
  }
}
