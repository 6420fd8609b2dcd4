#include "platform/tensor/quantize.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "models/workloads/collective/golden/golden_quantized.hpp"
#include "platform/tensor/float_bits.hpp"
#include "tests/unit/tensor/slow_float.hpp"

namespace {

using heddle::dtype;
using heddle::quantization;
using heddle::quantized_tensor;
using heddle::tensor_bytes;

constexpr float infinity = std::numeric_limits<float>::infinity();

quantized_tensor quantized(const quantization& how, dtype type, const void* elements,
                           std::size_t count) {
  quantized_tensor result{tensor_bytes(heddle::quantized_bytes(how, count)),
                          tensor_bytes(heddle::scale_bytes(how, count))};
  heddle::quantize(how, type, elements, count, result.data.data(), result.scales.data());
  return result;
}

quantized_tensor quantized(const quantization& how, const std::vector<float>& values) {
  return quantized(how, dtype::fp32, values.data(), values.size());
}

std::vector<int> codes_of(const quantized_tensor& tensor) {
  std::vector<int> codes;
  for (const std::byte each : tensor.data) codes.push_back(static_cast<std::int8_t>(each));
  return codes;
}

std::vector<int> scales_of(const quantized_tensor& tensor) {
  std::vector<int> scales;
  for (std::size_t i = 0; i < tensor.scales.size(); i += 2)
    scales.push_back(std::to_integer<int>(tensor.scales[i]) |
                     std::to_integer<int>(tensor.scales[i + 1]) << 8);
  return scales;
}

std::vector<float> dequantized(const quantization& how, const quantized_tensor& tensor,
                               std::size_t count) {
  std::vector<float> values(count);
  heddle::dequantize(how, tensor.data.data(), tensor.scales.data(), count, values.data());
  return values;
}

// Numbers of every magnitude, among them runs of zeros and a few specials: what no model produces.
std::vector<std::uint32_t> wild_words(std::mt19937_64& random, std::size_t count) {
  std::vector<std::uint32_t> words(count);
  for (std::uint32_t& word : words) word = static_cast<std::uint32_t>(random());
  for (std::size_t i = 0; i < count / 700; ++i) words[random() % count] = 0x7f807c00;
  return words;
}

// Bits of the type with the specials of the 16-bit types made rare, else no block were finite.
tensor_bytes wild_elements(std::mt19937_64& random, dtype type, std::size_t count) {
  const auto words = wild_words(random, count);
  tensor_bytes bytes(count * heddle::size_of(type));
  for (std::size_t i = 0; i < count; ++i) {
    std::uint32_t word = words[i];
    const bool is_special = word == 0x7f807c00;
    const int spread = static_cast<int>(random() % 4);  // how far apart magnitudes in a block are
    if (type == dtype::fp32) {
      const std::uint32_t exponent = spread == 0 ? (word >> 23) % 255 : 100 + (word >> 23) % 40;
      if (!is_special) word = (word & 0x807fffff) | exponent << 23;
      std::memcpy(bytes.data() + i * 4, &word, 4);
      continue;
    }
    const std::uint16_t high = type == dtype::fp16 ? 0x7c00 : 0x7f80;
    auto half = static_cast<std::uint16_t>(word);
    if (!is_special && (half & high) == high) half = static_cast<std::uint16_t>(half & 0xbfff);
    std::memcpy(bytes.data() + i * 2, &half, 2);
  }
  return bytes;
}

struct random_case {
  quantization how;
  dtype type;
  std::size_t count;
  tensor_bytes elements;
};

random_case make_case(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  random_case made;
  made.how.bits = random() % 2 == 0 ? 8 : 4;
  made.how.block = std::size_t{32} << random() % 5;
  const dtype types[] = {dtype::fp16, dtype::bf16, dtype::fp32};
  made.type = types[random() % 3];
  made.count = 1 + random() % 3000;
  made.elements = wild_elements(random, made.type, made.count);
  return made;
}

}  // namespace

TEST_CASE("INT8 rounds to nearest, ties to even", "[tensor]") {
  const auto got = quantized({8, 32}, {127, -127, 0.5f, 1.5f, -2.5f, 2.500001f, -0.49f, 126.5f});
  CHECK(scales_of(got) == std::vector<int>{0x3c00});
  CHECK(codes_of(got) == std::vector<int>{127, -127, 0, 2, -2, 3, 0, 126});
}

TEST_CASE("INT4 packs two in a byte, the low nibble first", "[tensor]") {
  const auto got = quantized({4, 32}, {7, -7, 1, -1, 2.5f});
  CHECK(scales_of(got) == std::vector<int>{0x3c00});
  CHECK(got.data == tensor_bytes{std::byte{0x97}, std::byte{0xf1}, std::byte{0x02}});
  CHECK(dequantized({4, 32}, got, 5) == std::vector<float>{7, -7, 1, -1, 2});
}

TEST_CASE("every block has its own scale, a shorter last one too", "[tensor]") {
  std::vector<float> values(70, 0.0f);
  values[0] = 254;
  values[40] = -63.5f;
  values[69] = 1;
  const quantization how{8, 32};
  const auto got = quantized(how, values);
  CHECK(got.data.size() == 70);
  CHECK(scales_of(got) == std::vector<int>{0x4000, 0x3800, 0x2008});  // 2, 1/2, 1/127
  CHECK(codes_of(got)[69] == 127);
  CHECK(heddle::quantized_bytes({4, 32}, 70) == 35);
  CHECK(heddle::quantized_bytes({4, 32}, 71) == 36);
  CHECK(heddle::scale_bytes({4, 512}, 513) == 4);
  CHECK(heddle::scale_bytes(how, 0) == 0);
}

TEST_CASE("64 elements of INT8 take 66 bytes", "[tensor]") {
  const quantization how;
  CHECK(how.bits == 8);
  CHECK(how.block == 64);
  CHECK(heddle::quantized_bytes(how, 4096) + heddle::scale_bytes(how, 4096) == 4096 + 128);
}

TEST_CASE("a block of zeros has scale 0", "[tensor]") {
  const auto got = quantized({8, 32}, {0.0f, -0.0f, 0.0f});
  CHECK(scales_of(got) == std::vector<int>{0});
  CHECK(codes_of(got) == std::vector<int>{0, 0, 0});
  for (const float value : dequantized({8, 32}, got, 3)) CHECK(heddle::bits_of(value) == 0);
}

TEST_CASE("tiny blocks keep the smallest scale", "[tensor]") {
  const auto smallest = quantized({8, 32}, {1e-45f, -0x1p-24f, 0x1p-25f, 0x1.8p-24f});
  CHECK(scales_of(smallest) == std::vector<int>{1});
  CHECK(codes_of(smallest) == std::vector<int>{0, -1, 0, 2});
}

TEST_CASE("fp16 multiples of the smallest scale survive", "[tensor]") {
  std::vector<std::uint16_t> halves;
  for (std::uint16_t bits = 0; bits <= 127; ++bits) halves.push_back(bits);
  const quantization how{8, 128};
  const auto got = quantized(how, dtype::fp16, halves.data(), halves.size());
  CHECK(scales_of(got) == std::vector<int>{1});
  const auto values = dequantized(how, got, halves.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    CHECK(values[i] == static_cast<float>(i) * 0x1p-24f);
}

TEST_CASE("what a subnormal scale rounds away saturates", "[tensor]") {
  const auto got = quantized({8, 32}, {127 * 1.25f * 0x1p-24f, 0x1p-24f});
  CHECK(scales_of(got) == std::vector<int>{1});
  CHECK(codes_of(got) == std::vector<int>{127, 1});
}

TEST_CASE("the scale stops at the largest fp16", "[tensor]") {
  const auto got = quantized({8, 32}, {3e38f, -3e38f, 65504, 65504 * 126.5f});
  CHECK(scales_of(got) == std::vector<int>{0x7bff});
  CHECK(codes_of(got) == std::vector<int>{127, -127, 1, 126});
  const auto just_fits = quantized({4, 32}, {65504 * 7.0f, 1});
  CHECK(scales_of(just_fits) == std::vector<int>{0x7bff});
}

TEST_CASE("an infinity or NaN turns its block into NaNs", "[tensor]") {
  for (const float special : {infinity, -infinity, std::nanf("")}) {
    std::vector<float> values(96, 127.0f);
    values[40] = special;
    const quantization how{8, 32};
    const auto got = quantized(how, values);
    CHECK(scales_of(got) == std::vector<int>{0x3c00, 0x7e00, 0x3c00});
    const auto back = dequantized(how, got, values.size());
    for (std::size_t i = 0; i < back.size(); ++i) {
      if (i / 32 == 1)
        CHECK(heddle::bits_of(back[i]) == heddle::fp32_format::quiet_nan);
      else
        CHECK(back[i] == 127);
    }
  }
}

TEST_CASE("dequantizing takes any scale and any integer", "[tensor]") {
  const auto value_of = [](int code, std::uint16_t scale) {
    quantized_tensor tensor{{static_cast<std::byte>(code)}, tensor_bytes(2)};
    std::memcpy(tensor.scales.data(), &scale, 2);
    const float value = dequantized({8, 32}, tensor, 1)[0];
    const auto golden = heddle::golden_dequantize({8, 32}, tensor, 1, dtype::fp32);
    std::uint32_t golden_bits;
    std::memcpy(&golden_bits, golden.data(), sizeof golden_bits);
    CHECK(heddle::bits_of(value) == golden_bits);
    return value;
  };
  CHECK(value_of(-128, 0x3c00) == -128);
  CHECK(value_of(3, 0xc000) == -6);
  CHECK(value_of(-1, 0x0001) == -0x1p-24f);
  CHECK(value_of(2, 0x7c00) == infinity);
  CHECK(value_of(2, 0xfc00) == -infinity);
  CHECK(heddle::bits_of(value_of(0, 0xfc00)) == heddle::fp32_format::quiet_nan);
  CHECK(heddle::bits_of(value_of(5, 0xfe01)) == heddle::fp32_format::quiet_nan);
}

TEST_CASE("only powers of two from 32 to 512, only 4 and 8 bits", "[tensor]") {
  for (const std::size_t block : {32, 64, 128, 256, 512}) {
    CHECK(quantization{8, block}.is_valid());
    CHECK(quantization{4, block}.is_valid());
    CHECK_FALSE(quantization{16, block}.is_valid());
    CHECK_FALSE(quantization{8, block + 1}.is_valid());
  }
  for (const std::size_t block : {0, 16, 1024}) CHECK_FALSE(quantization{8, block}.is_valid());
}

TEST_CASE("fast and plain quantization agree bit for bit", "[tensor]") {
  int finite_blocks = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const random_case one = make_case(seed);
    const auto fast = quantized(one.how, one.type, one.elements.data(), one.count);
    const auto plain = heddle::golden_quantize(one.how, one.type, one.elements.data(), one.count);
    CAPTURE(seed, one.how.bits, one.how.block, heddle::name_of(one.type), one.count);
    REQUIRE(fast.data == plain.data);
    REQUIRE(fast.scales == plain.scales);
    const auto values = dequantized(one.how, fast, one.count);
    const auto golden = heddle::golden_dequantize(one.how, plain, one.count, dtype::fp32);
    REQUIRE(std::memcmp(values.data(), golden.data(), golden.size()) == 0);
    for (const int scale : scales_of(fast)) finite_blocks += scale != 0x7e00;
  }
  CHECK(finite_blocks > 2000);
}

TEST_CASE("no element is off by more than half a scale", "[tensor]") {
  for (std::uint64_t seed = 1000; seed < 1400; ++seed) {
    const random_case one = make_case(seed);
    const auto got = quantized(one.how, one.type, one.elements.data(), one.count);
    const auto values = dequantized(one.how, got, one.count);
    const auto scales = scales_of(got);
    std::vector<double> exact(one.count);
    heddle::to_double(one.type, one.elements.data(), exact.data(), one.count);
    const double rounding = one.type == dtype::fp32 ? 0x1p-18 : 0;
    for (std::size_t i = 0; i < one.count; ++i) {
      const auto half = static_cast<std::uint16_t>(scales[i / one.how.block]);
      if (half == 0x7e00 || half == 0x7bff) continue;
      const double scale = heddle::slow::value(heddle::slow::fp16, half);
      const double lost = half < 0x0400 ? one.how.limit() * 0x1p-25 : 0;
      CAPTURE(seed, i, exact[i], values[i], scale);
      REQUIRE(std::fabs(exact[i] - static_cast<double>(values[i])) <=
              std::max(scale * (0.5 + rounding), lost));
    }
  }
}

TEST_CASE("the scale is the largest magnitude's share in fp16", "[tensor]") {
  for (std::uint64_t seed = 2000; seed < 2200; ++seed) {
    const random_case one = make_case(seed);
    const auto scales = scales_of(quantized(one.how, one.type, one.elements.data(), one.count));
    std::vector<double> exact(one.count);
    heddle::to_double(one.type, one.elements.data(), exact.data(), one.count);
    for (std::size_t block = 0; block < scales.size(); ++block) {
      double largest = 0;
      bool is_finite = true;
      for (std::size_t i = block * one.how.block;
           i < std::min(one.count, (block + 1) * one.how.block); ++i) {
        is_finite = is_finite && std::isfinite(exact[i]);
        largest = std::max(largest, std::fabs(exact[i]));
      }
      const float share = static_cast<float>(largest) / static_cast<float>(one.how.limit());
      const int rounded = heddle::slow::round(heddle::slow::fp16, static_cast<double>(share));
      const int finite = largest == 0 ? 0 : std::min(std::max(rounded, 1), 0x7bff);
      CAPTURE(seed, block);
      REQUIRE(scales[block] == (is_finite ? finite : 0x7e00));
    }
  }
}

TEST_CASE("quantizing what was quantized changes nothing", "[tensor]") {
  for (std::uint64_t seed = 3000; seed < 3200; ++seed) {
    const random_case one = make_case(seed);
    const auto once = quantized(one.how, one.type, one.elements.data(), one.count);
    const auto values = dequantized(one.how, once, one.count);
    const auto twice = quantized(one.how, values);
    const auto scales = scales_of(once);
    for (std::size_t block = 0; block < scales.size(); ++block)
      if (scales[block] >= 0x0400) REQUIRE(scales_of(twice)[block] == scales[block]);
  }
}

TEST_CASE("quantization needs no alignment and stops at the last byte", "[tensor]") {
  for (const unsigned bits : {8u, 4u}) {
    for (const std::size_t count : {1, 2, 31, 32, 33, 63, 65, 97}) {
      const quantization how{bits, 32};
      const std::vector<float> values(count, -3.0f);
      tensor_bytes source(count * 4 + 1);
      std::memcpy(source.data() + 1, values.data(), count * 4);
      const std::size_t data_size = heddle::quantized_bytes(how, count);
      const std::size_t scale_size = heddle::scale_bytes(how, count);
      tensor_bytes data(data_size + 2, std::byte{0xee});
      tensor_bytes scales(scale_size + 2, std::byte{0xee});
      heddle::quantize(how, dtype::fp32, source.data() + 1, count, data.data() + 1,
                       scales.data() + 1);
      CHECK(data.front() == std::byte{0xee});
      CHECK(data.back() == std::byte{0xee});
      CHECK(scales.front() == std::byte{0xee});
      CHECK(scales.back() == std::byte{0xee});
      const auto aligned = quantized(how, values);
      CHECK(std::memcmp(data.data() + 1, aligned.data.data(), data_size) == 0);
      CHECK(std::memcmp(scales.data() + 1, aligned.scales.data(), scale_size) == 0);
    }
  }
}
