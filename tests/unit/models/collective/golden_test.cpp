// Each golden against its protocol played literally: per-rank arrays, step by step, messages
// exchanged as the hardware would.
#include "models/workloads/collective/golden/golden.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "models/workloads/collective/golden/golden_quantized.hpp"
#include "models/workloads/collective/golden/golden_tiers.hpp"
#include "platform/tensor/compare.hpp"
#include "platform/tensor/random.hpp"
#include "platform/tensor/reference.hpp"

namespace {

using heddle::dtype;
using heddle::element_range;
using heddle::reduce_op;
using heddle::tensor_bytes;

struct job {
  dtype type;
  reduce_op op;
  std::size_t ranks;
  std::size_t elements;

  std::size_t width() const { return heddle::size_of(type); }
};

std::vector<tensor_bytes> tensors_of(const job& j) {
  std::vector<tensor_bytes> tensors(j.ranks, tensor_bytes(j.elements * j.width()));
  for (std::size_t rank = 0; rank < j.ranks; ++rank) {
    heddle::fill_random(j.type, tensors[rank].data(), j.elements, 11, rank);
  }
  return tensors;
}

heddle::rank_inputs inputs_of(const std::vector<tensor_bytes>& tensors) {
  heddle::rank_inputs inputs;
  for (const auto& tensor : tensors) inputs.push_back(tensor.data());
  return inputs;
}

void receive(const job& j, tensor_bytes& own, const tensor_bytes& sender, element_range range) {
  heddle::reduce(j.type, j.op, own.data() + range.begin * j.width(),
                 sender.data() + range.begin * j.width(), range.count);
}

void copy(const job& j, tensor_bytes& own, const tensor_bytes& sender, element_range range) {
  const auto begin = static_cast<std::ptrdiff_t>(range.begin * j.width());
  const auto end = static_cast<std::ptrdiff_t>((range.begin + range.count) * j.width());
  std::copy(sender.begin() + begin, sender.begin() + end, own.begin() + begin);
}

std::vector<tensor_bytes> play_ring_reduce_scatter(const job& j) {
  auto own = tensors_of(j);
  for (std::size_t step = 0; step + 1 < j.ranks; ++step) {
    const auto sent = own;
    for (std::size_t rank = 0; rank < j.ranks; ++rank) {
      const std::size_t chunk = (rank + j.ranks - step) % j.ranks;
      receive(j, own[(rank + 1) % j.ranks], sent[rank],
              heddle::chunk_range(j.elements, j.ranks, chunk));
    }
  }
  return own;
}

tensor_bytes play_direct(const job& j) {
  const auto inputs = tensors_of(j);
  tensor_bytes result(j.elements * j.width());
  for (std::size_t owner = 0; owner < j.ranks; ++owner) {
    const element_range chunk = heddle::chunk_range(j.elements, j.ranks, owner);
    tensor_bytes own = inputs[owner];
    for (std::size_t i = 1; i < j.ranks; ++i) receive(j, own, inputs[(owner + i) % j.ranks], chunk);
    copy(j, result, own, chunk);
  }
  return result;
}

tensor_bytes play_halving(const job& j) {
  auto own = tensors_of(j);
  std::vector<element_range> range(j.ranks, element_range{0, j.elements});
  for (std::size_t distance = j.ranks / 2; distance > 0; distance /= 2) {
    const auto sent = own;
    for (std::size_t rank = 0; rank < j.ranks; ++rank) {
      const std::size_t lower = range[rank].count / 2;
      range[rank] = (rank & distance) == 0
                        ? element_range{range[rank].begin, lower}
                        : element_range{range[rank].begin + lower, range[rank].count - lower};
      receive(j, own[rank], sent[rank ^ distance], range[rank]);
    }
  }
  tensor_bytes result(j.elements * j.width());
  for (std::size_t rank = 0; rank < j.ranks; ++rank) copy(j, result, own[rank], range[rank]);
  return result;
}

// 10007 elements span several blocks and divide by nothing; 3 leave chunks empty.
const auto all_types = {dtype::fp16, dtype::bf16, dtype::fp32, dtype::int32};
const auto all_ops = {reduce_op::sum, reduce_op::min, reduce_op::max};
const auto all_sizes = {std::size_t{3}, std::size_t{10007}};

}  // namespace

TEST_CASE("ring golden equals the ring played step by step", "[tensor]") {
  const job j{GENERATE(values<dtype>(all_types)), GENERATE(values<reduce_op>(all_ops)),
              GENERATE(as<std::size_t>{}, 1, 2, 3, 8), GENERATE(values<std::size_t>(all_sizes))};
  const auto tensors = tensors_of(j);
  const auto inputs = inputs_of(tensors);
  const auto played = play_ring_reduce_scatter(j);
  const auto whole = heddle::golden_ring_allreduce(j.type, j.op, inputs, j.elements);
  for (std::size_t rank = 0; rank < j.ranks; ++rank) {
    const auto chunk =
        heddle::chunk_range(j.elements, j.ranks, heddle::ring_complete_chunk(j.ranks, rank));
    const auto begin = static_cast<std::ptrdiff_t>(chunk.begin * j.width());
    const auto end = begin + static_cast<std::ptrdiff_t>(chunk.count * j.width());
    CHECK(std::equal(whole.begin() + begin, whole.begin() + end, played[rank].begin() + begin));
  }
}

TEST_CASE("direct golden equals the folds of the owners and the ring", "[tensor]") {
  const job j{GENERATE(values<dtype>(all_types)), reduce_op::sum,
              GENERATE(as<std::size_t>{}, 1, 2, 5, 8), GENERATE(values<std::size_t>(all_sizes))};
  const auto tensors = tensors_of(j);
  const auto golden = heddle::golden_direct_allreduce(j.type, j.op, inputs_of(tensors), j.elements);
  CHECK(golden == play_direct(j));
  CHECK(golden == heddle::golden_ring_allreduce(j.type, j.op, inputs_of(tensors), j.elements));
}

TEST_CASE("halving-doubling golden equals the exchanges played", "[tensor]") {
  const job j{GENERATE(values<dtype>(all_types)), GENERATE(values<reduce_op>(all_ops)),
              GENERATE(as<std::size_t>{}, 1, 2, 4, 16), GENERATE(values<std::size_t>(all_sizes))};
  const auto tensors = tensors_of(j);
  CHECK(heddle::golden_halving_doubling_allreduce(j.type, j.op, inputs_of(tensors), j.elements) ==
        play_halving(j));
}

TEST_CASE("the order matters to the bits of a float sum", "[tensor]") {
  const job j{dtype::fp16, reduce_op::sum, 8, 10007};
  const auto tensors = tensors_of(j);
  const auto inputs = inputs_of(tensors);
  const auto ring = heddle::golden_ring_allreduce(j.type, j.op, inputs, j.elements);
  const auto tree = heddle::golden_halving_doubling_allreduce(j.type, j.op, inputs, j.elements);
  CHECK(ring != tree);
  const auto reference = heddle::float64_sum(j.type, inputs, j.elements);
  CHECK(heddle::relative_error(j.type, ring.data(), reference.data(), j.elements) < 1e-3);
  CHECK(heddle::relative_error(j.type, tree.data(), reference.data(), j.elements) < 1e-3);
}

TEST_CASE("the float64 sum of int32 wraps like the reduction", "[tensor]") {
  const job j{dtype::int32, reduce_op::sum, 7, 5000};
  const auto tensors = tensors_of(j);
  const auto inputs = inputs_of(tensors);
  const auto golden = heddle::golden_ring_allreduce(j.type, j.op, inputs, j.elements);
  const auto reference = heddle::float64_sum(j.type, inputs, j.elements);
  CHECK(heddle::relative_error(j.type, golden.data(), reference.data(), j.elements) == 0);
}

TEST_CASE("whatever the order, a sum of integers has every operand once", "[tensor]") {
  const job j{dtype::int32, reduce_op::sum, GENERATE(range<std::size_t>(1, 20)), 37};
  const auto tensors = tensors_of(j);
  const auto inputs = inputs_of(tensors);
  const auto sum = heddle::golden_ring_allreduce(j.type, j.op, inputs, j.elements);
  CHECK(heddle::golden_halving_doubling_allreduce(j.type, j.op, inputs, j.elements) == sum);
  for (std::size_t root = 0; root < j.ranks; ++root) {
    CHECK(heddle::golden_ring_reduce(j.type, j.op, inputs, j.elements, root) == sum);
    CHECK(heddle::golden_double_tree_reduce(j.type, j.op, inputs, j.elements, root) == sum);
  }
}

TEST_CASE("a broadcast copies", "[tensor]") {
  const auto tensors = tensors_of({dtype::bf16, reduce_op::sum, 3, 5});
  for (std::size_t rank = 0; rank < 3; ++rank)
    CHECK(heddle::golden_broadcast(dtype::bf16, inputs_of(tensors), 5, rank) == tensors[rank]);
}

// Ranks 0, 1 and 2 at the ports 3, 4 and 5, or at 5, 1 and 0: 0 + (1 + 2) and (2 + 1) + 0.
TEST_CASE("a stripe of one switch adds its ranks at the leaves of their ports", "[tensor]") {
  const job j{GENERATE(values<dtype>(all_types)), reduce_op::sum, 3, 96};
  const auto tensors = tensors_of(j);
  const auto inputs = inputs_of(tensors);
  const heddle::reduction_node absent, first{0, {}}, second{1, {}}, third{2, {}};
  heddle::reduction_order order;
  order.stripes.push_back(
      {0, 32 * j.width(), {-1, {absent, absent, absent, first, second, third}}});
  order.stripes.push_back(
      {32 * j.width(), 64 * j.width(), {-1, {third, second, absent, absent, absent, first}}});
  tensor_bytes expected(j.elements * j.width());
  const auto add = [&](heddle::rank_inputs leaves, std::size_t begin, std::size_t count) {
    for (auto& leaf : leaves) leaf += begin * j.width();
    const auto sum = heddle::golden_tree_allreduce(j.type, j.op, leaves, count);
    std::copy(sum.begin(), sum.end(),
              expected.begin() + static_cast<std::ptrdiff_t>(begin * j.width()));
  };
  add({inputs[1], inputs[2], inputs[0]}, 0, 32);
  add({inputs[2], inputs[1], inputs[0]}, 32, 64);
  CHECK(heddle::golden_tiers(j.type, j.op, inputs, j.elements, order) == expected);
}

TEST_CASE("stripes of quantized operands are those of one switch each", "[tensor]") {
  const job j{dtype::fp16, reduce_op::sum, 3, 96};
  const heddle::quantization how{8, 32};
  const auto tensors = tensors_of(j);
  const auto inputs = inputs_of(tensors);
  const heddle::reduction_node switch_of_three{-1, {{-1, {}}, {1, {}}, {2, {}}, {0, {}}}};
  heddle::reduction_order order;
  order.stripes.push_back({0, 64, switch_of_three});
  order.stripes.push_back({64, 128, switch_of_three});
  const heddle::rank_inputs leaves = {nullptr, inputs[1], inputs[2], inputs[0]};
  CHECK(heddle::golden_inq_stripes(how, j.type, inputs, j.elements, order) ==
        heddle::golden_dequantize(how, golden_inq_allreduce(how, j.type, leaves, j.elements),
                                  j.elements, j.type));
}
