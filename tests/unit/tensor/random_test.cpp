#include "platform/tensor/random.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include "models/workloads/collective/golden/golden.hpp"
#include "platform/tensor/accumulate.hpp"
#include "platform/tensor/compare.hpp"

namespace {

using heddle::dtype;

using filler = decltype(&heddle::fill_random);
const auto all_types = {dtype::fp16, dtype::bf16,  dtype::fp32,
                        dtype::fp64, dtype::int32, dtype::fp8};

std::vector<double> values_of(filler fill, dtype type, std::size_t elements, std::uint64_t seed,
                              std::uint64_t rank) {
  std::vector<unsigned char> bytes(elements * heddle::size_of(type));
  fill(type, bytes.data(), elements, seed, rank, 0);
  std::vector<double> values(elements);
  heddle::to_double(type, bytes.data(), values.data(), elements);
  return values;
}

}  // namespace

TEST_CASE("a random tensor can be made in pieces", "[tensor]") {
  const std::size_t elements = 1000;
  const filler fill = GENERATE(&heddle::fill_random, &heddle::fill_uniform);
  for (const dtype type : all_types) {
    const std::size_t width = heddle::size_of(type);
    std::vector<unsigned char> whole(elements * width);
    std::vector<unsigned char> pieces(elements * width + 1);
    fill(type, whole.data(), elements, 7, 3, 0);
    for (const std::size_t begin : {600, 0, 257}) {
      const std::size_t count = begin == 0 ? 257 : begin == 257 ? 343 : 400;
      fill(type, pieces.data() + 1 + begin * width, count, 7, 3, begin);
    }
    CHECK(std::vector<unsigned char>(pieces.begin() + 1, pieces.end()) == whole);
  }
}

TEST_CASE("uniform floats are spread from -1 to 1", "[tensor]") {
  for (const dtype type : {dtype::fp16, dtype::bf16, dtype::fp32}) {
    const auto values = values_of(&heddle::fill_uniform, type, 100000, 1, 0);
    double sum = 0;
    double squares = 0;
    std::size_t coarse = 0;
    for (const double value : values) {
      sum += value;
      squares += value * value;
      coarse += value * 8 == std::floor(value * 8);
      REQUIRE((value >= -1 && value < 1));
    }
    const auto count = static_cast<double>(values.size());
    CHECK(std::fabs(sum / count) < 0.02);
    CHECK(squares / count == Approx(1.0 / 3).margin(0.01));
    CHECK(static_cast<double>(coarse) > count / 20);
    CHECK(std::set<double>(values.begin(), values.end()).count(0.0) == 1);
  }
}

TEST_CASE("seeds and ranks give different tensors", "[tensor]") {
  std::set<std::vector<double>> seen;
  for (const std::uint64_t seed : {0, 1, 2}) {
    for (const std::uint64_t rank : {0, 1, 2}) {
      seen.insert(values_of(&heddle::fill_random, dtype::int32, 64, seed, rank));
    }
  }
  CHECK(seen.size() == 9);
}

// Results are compared across machines and releases: these values may never change. They come from
// an independent SplitMix64 and an independent MurmurHash3.
TEST_CASE("random tensors are the same everywhere", "[tensor]") {
  std::vector<std::uint32_t> words(2);
  heddle::fill_random(dtype::int32, words.data(), 2, 1, 0);
  CHECK(words == std::vector<std::uint32_t>{0xb18a02f4, 0xf8c5b62c});
  CHECK(values_of(&heddle::fill_uniform, dtype::fp32, 2, 1, 0) ==
        std::vector<double>{0x1.8c50100000000p-2, 0x1.e316d80000000p-1});
  CHECK(values_of(&heddle::fill_uniform, dtype::fp16, 2, 1, 0) ==
        std::vector<double>{0x1.8c40000000000p-2, 0x1.e300000000000p-1});
  CHECK(values_of(&heddle::fill_random, dtype::fp32, 8, 1, 0) ==
        std::vector<double>{0x1.b18a02p-7, 0x1.f8c5b6p-7, -0x1.6d339cp-8, -0x1.ce639ap-3,
                            -0x1.e52dp+2, -0x1.c37872p+2, 0x1.0d92f6p+2, -0x1.498c3ep-7});
  CHECK(values_of(&heddle::fill_random, dtype::fp32, 8, 1, 1) ==
        std::vector<double>{-0x1.9edbe8p-7, 0x1.8a8078p+2, 0x1.76e36cp-6, 0x1.8e1e6ep-6,
                            -0x1.716d14p-6, 0x1.c37872p+2, -0x1.2fdf54p+2, -0x1.e281ecp+2});
}

TEST_CASE("random floats have exponents from those of small numbers to 2", "[tensor]") {
  for (const dtype type : {dtype::fp16, dtype::bf16, dtype::fp32, dtype::fp64, dtype::fp8}) {
    std::set<int> exponents;
    std::size_t large = 0, whole_eighths = 0;
    const auto values = values_of(&heddle::fill_random, type, 100000, 1, 0);
    for (const double value : values) {
      REQUIRE(std::fabs(value) < 8);
      REQUIRE((value != 0 || !std::signbit(value)));
      if (value != 0) exponents.insert(std::ilogb(value));
      large += std::fabs(value) >= 4.0 / 3;
      whole_eighths += std::fabs(value) <= 1 && value * 8 == std::floor(value * 8);
    }
    CHECK(exponents.size() >= 16);
    CHECK(large > values.size() / 4);
    CHECK(whole_eighths > (type == dtype::fp64 ? 0U : values.size() / 64));
  }
}

TEST_CASE("sums of random floats over 4096 ranks are finite in fp16", "[tensor]") {
  constexpr std::size_t ranks = 4096, elements = 256;
  for (const dtype type : {dtype::fp16, dtype::fp8}) {
    std::vector<heddle::tensor_bytes> tensors;
    heddle::rank_inputs inputs;
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      tensors.emplace_back(elements * heddle::size_of(type));
      heddle::fill_random(type, tensors.back().data(), elements, 5, rank);
    }
    for (const auto& each : tensors) inputs.push_back(each.data());
    const auto sum = heddle::golden_ring_allreduce(type, heddle::reduce_op::sum, inputs, elements);
    std::vector<double> values(elements);
    heddle::to_double(type, sum.data(), values.data(), elements);
    for (const double value : values) CHECK(std::isfinite(value));
  }
}

// A check bit for bit says little about the order unless another order leaves other bits.
TEST_CASE("another order of additions leaves other bits of random floats", "[tensor]") {
  constexpr std::size_t elements = 20000;
  const std::size_t ranks = GENERATE(3, 4, 8);
  for (const dtype type : {dtype::fp16, dtype::bf16, dtype::fp32, dtype::fp64, dtype::fp8}) {
    std::vector<heddle::tensor_bytes> tensors;
    heddle::rank_inputs inputs;
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      tensors.emplace_back(elements * heddle::size_of(type));
      heddle::fill_random(type, tensors.back().data(), elements, 1, rank);
    }
    for (const auto& each : tensors) inputs.push_back(each.data());
    INFO(heddle::name_of(type) << ", " << ranks << " ranks");
    const auto share_of_others = [&](const heddle::tensor_bytes& a, const heddle::tensor_bytes& b) {
      const auto found = heddle::compare(type, a.data(), b.data(), elements);
      return static_cast<double>(found.mismatches) / elements;
    };
    const auto around_ring = [&](std::size_t root) {
      return heddle::golden_ring_reduce(type, heddle::reduce_op::sum, inputs, elements, root);
    };
    CHECK(share_of_others(around_ring(0), around_ring(1)) > 0.05);
    if (!heddle::can_accumulate(type)) continue;
    const auto in_tree = [&](const heddle::rank_inputs& leaves) {
      return heddle::golden_tree_allreduce(type, heddle::reduce_op::sum, leaves, elements);
    };
    heddle::rank_inputs exchanged = inputs, shifted = inputs;
    std::swap(exchanged[1], exchanged[2]);
    shifted.insert(shifted.begin(), nullptr);
    CHECK(share_of_others(in_tree(inputs), in_tree(exchanged)) > 0.05);
    CHECK(share_of_others(in_tree(inputs), in_tree(shifted)) > 0.05);
  }
}
