#include "platform/tensor/random.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <set>
#include <vector>

namespace {

using heddle::dtype;

std::vector<double> random_values(dtype type, std::size_t elements, std::uint64_t seed,
                                  std::uint64_t rank) {
  std::vector<unsigned char> bytes(elements * heddle::size_of(type));
  heddle::fill_random(type, bytes.data(), elements, seed, rank);
  std::vector<double> values(elements);
  heddle::to_double(type, bytes.data(), values.data(), elements);
  return values;
}

}  // namespace

TEST_CASE("a random tensor can be made in pieces", "[tensor]") {
  const std::size_t elements = 1000;
  for (const dtype type : {dtype::fp16, dtype::bf16, dtype::fp32, dtype::int32, dtype::fp8}) {
    const std::size_t width = heddle::size_of(type);
    std::vector<unsigned char> whole(elements * width);
    std::vector<unsigned char> pieces(elements * width + 1);
    heddle::fill_random(type, whole.data(), elements, 7, 3);
    for (const std::size_t begin : {600, 0, 257}) {
      const std::size_t count = begin == 0 ? 257 : begin == 257 ? 343 : 400;
      heddle::fill_random(type, pieces.data() + 1 + begin * width, count, 7, 3, begin);
    }
    CHECK(std::vector<unsigned char>(pieces.begin() + 1, pieces.end()) == whole);
  }
}

TEST_CASE("random floats are spread from -1 to 1", "[tensor]") {
  for (const dtype type : {dtype::fp16, dtype::bf16, dtype::fp32}) {
    const auto values = random_values(type, 100000, 1, 0);
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
      seen.insert(random_values(dtype::int32, 64, seed, rank));
    }
  }
  CHECK(seen.size() == 9);
}

// Results are compared across machines and releases: these values may never change. They come from
// an independent SplitMix64.
TEST_CASE("random tensors are the same everywhere", "[tensor]") {
  std::vector<std::uint32_t> words(2);
  heddle::fill_random(dtype::int32, words.data(), 2, 1, 0);
  CHECK(words == std::vector<std::uint32_t>{0xb18a02f4, 0xf8c5b62c});
  CHECK(random_values(dtype::fp32, 2, 1, 0) ==
        std::vector<double>{0x1.8c50100000000p-2, 0x1.e316d80000000p-1});
  CHECK(random_values(dtype::fp16, 2, 1, 0) ==
        std::vector<double>{0x1.8c40000000000p-2, 0x1.e300000000000p-1});
}
