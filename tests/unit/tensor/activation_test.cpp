#include "platform/tensor/activation.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <set>
#include <vector>

namespace {

using heddle::dtype;

std::vector<float> activations(std::size_t elements, std::uint64_t seed, std::uint64_t rank,
                               std::size_t hidden_size = heddle::llama2_7b_hidden_size) {
  std::vector<float> values(elements);
  heddle::fill_activation(dtype::fp32, values.data(), elements, seed, rank, 0, hidden_size);
  return values;
}

}  // namespace

TEST_CASE("an activation-like tensor can be made in pieces", "[tensor]") {
  for (const dtype type : {dtype::fp16, dtype::bf16, dtype::fp32}) {
    const std::size_t width = heddle::size_of(type);
    std::vector<unsigned char> whole(1000 * width);
    std::vector<unsigned char> pieces(1000 * width + 1);
    heddle::fill_activation(type, whole.data(), 1000, 7, 3, 0, 100);
    heddle::fill_activation(type, pieces.data() + 1 + 301 * width, 699, 7, 3, 301, 100);
    heddle::fill_activation(type, pieces.data() + 1, 301, 7, 3, 0, 100);
    CHECK(std::vector<unsigned char>(pieces.begin() + 1, pieces.end()) == whole);
  }
}

TEST_CASE("one channel in 512 is an outlier", "[tensor]") {
  int outliers = 0;
  for (std::uint64_t channel = 0; channel < 512 * 100; ++channel) {
    const float factor = heddle::channel_factor(3, channel);
    if (factor == 1) continue;
    ++outliers;
    REQUIRE((factor >= 20 && factor <= 100));
  }
  CHECK(outliers > 70);
  CHECK(outliers < 130);
}

TEST_CASE("an outlier channel is one for all tokens and ranks", "[tensor]") {
  constexpr std::size_t hidden_size = 1024;
  constexpr std::size_t tokens = 400;
  for (const std::uint64_t rank : {0, 5}) {
    const auto values = activations(hidden_size * tokens, 11, rank, hidden_size);
    for (std::size_t channel = 0; channel < hidden_size; ++channel) {
      double sum = 0;
      for (std::size_t token = 0; token < tokens; ++token)
        sum += std::fabs(static_cast<double>(values[token * hidden_size + channel]));
      const double factor = static_cast<double>(heddle::channel_factor(11, channel));
      CHECK(sum / tokens / factor == Approx(1).margin(0.3));  // mean |t| of 4 degrees is 1
    }
  }
}

TEST_CASE("values are Student's t with 4 degrees of freedom", "[tensor]") {
  auto values = activations(400000, 2, 1, 1u << 30);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] /= heddle::channel_factor(2, i);
  std::sort(values.begin(), values.end());
  const auto quantile = [&](double p) {
    return static_cast<double>(values[static_cast<std::size_t>(p * 400000)]);
  };
  CHECK(quantile(0.5) == Approx(0).margin(0.02));
  CHECK(quantile(0.9) == Approx(1.533).epsilon(0.03));  // tables of the distribution
  CHECK(quantile(0.99) == Approx(3.747).epsilon(0.05));
  CHECK(quantile(0.01) == Approx(-3.747).epsilon(0.05));
  CHECK(quantile(0.999) == Approx(7.173).epsilon(0.1));
}

TEST_CASE("seeds and ranks give different activations", "[tensor]") {
  std::set<std::vector<float>> seen;
  for (const std::uint64_t seed : {0, 1, 2})
    for (const std::uint64_t rank : {0, 1, 2}) seen.insert(activations(64, seed, rank));
  CHECK(seen.size() == 9);
}

// Errors are compared across machines and releases: these values may never change. They come from
// an independent SplitMix64.
TEST_CASE("activations are the same everywhere", "[tensor]") {
  const auto values = activations(299, 1, 0);
  CHECK(heddle::channel_factor(1, 298) == 94);
  CHECK(values[0] == -0x1.9a05060000000p-1f);
  CHECK(values[1] == 0x1.5afb6c0000000p-2f);
  CHECK(values[298] == -0x1.bb71f00000000p+5f);
}
