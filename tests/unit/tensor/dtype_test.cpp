#include "platform/tensor/dtype.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "platform/tensor/float_bits.hpp"
#include "tests/unit/tensor/slow_float.hpp"

namespace {

using heddle::dtype;

struct conversions {
  heddle::slow::format format;
  float (*widen)(std::uint16_t);
  std::uint16_t (*narrow)(float);
};

const conversions fp16{heddle::slow::fp16, heddle::fp16_to_fp32, heddle::fp32_to_fp16};
const conversions bf16{heddle::slow::bf16, heddle::bf16_to_fp32, heddle::fp32_to_bf16};
const conversions fp8{
    heddle::slow::fp8,
    [](std::uint16_t bits) { return heddle::fp8_to_fp32(static_cast<std::uint8_t>(bits)); },
    [](float value) -> std::uint16_t { return heddle::fp32_to_fp8(value); }};

int last_word(const conversions& c) {
  return 2 * heddle::slow::sign_of(c.format) - 1;
}

// Counts, because a Catch assertion for each of millions of values takes minutes.
int widening_errors(const conversions& c) {
  int errors = 0;
  for (int bits = 0; bits <= last_word(c); ++bits) {
    const auto word = static_cast<std::uint16_t>(bits);
    const double expected = heddle::slow::value(c.format, word);
    const double got = c.widen(word);
    const bool same = std::isnan(expected)
                          ? std::isnan(got)
                          : got == expected && std::signbit(got) == std::signbit(expected);
    errors += !same;
  }
  return errors;
}

int round_trip_errors(const conversions& c) {
  int errors = 0;
  for (int bits = 0; bits <= last_word(c); ++bits) {
    const auto word = static_cast<std::uint16_t>(bits);
    const bool is_nan = std::isnan(heddle::slow::value(c.format, word));
    const std::uint16_t expected = is_nan ? heddle::slow::quiet_nan(c.format) : word;
    errors += c.narrow(c.widen(word)) != expected;
  }
  return errors;
}

// Every value, every midpoint between neighbors, and the fp32 numbers on both sides of each.
int rounding_errors(const conversions& c) {
  int errors = 0;
  const auto check = [&](float x) {
    errors += c.narrow(x) != heddle::slow::round(c.format, x);
    errors += c.narrow(-x) != heddle::slow::round(c.format, -x);
  };
  const int infinity = c.format.exponents << c.format.fraction_bits;
  for (int bits = 0; bits < infinity; ++bits) {
    const double low = heddle::slow::value(c.format, static_cast<std::uint16_t>(bits));
    double high = heddle::slow::value(c.format, static_cast<std::uint16_t>(bits + 1));
    if (bits + 1 == infinity) high = std::ldexp(1.0, c.format.exponents - c.format.bias);
    for (const double exact : {low, (low + high) / 2}) {
      const auto x = static_cast<float>(exact);
      check(x);
      check(std::nextafterf(x, std::numeric_limits<float>::infinity()));
      check(std::nextafterf(x, -std::numeric_limits<float>::infinity()));
    }
  }
  return errors;
}

// All of fp32 in steps coprime to every power of two, NaNs and infinities among them.
int sampled_errors(const conversions& c) {
  int errors = 0;
  for (std::uint64_t bits = 0; bits <= UINT32_MAX; bits += 1009) {
    const float x = heddle::float_of(static_cast<std::uint32_t>(bits));
    errors += c.narrow(x) != heddle::slow::round(c.format, x);
  }
  return errors;
}

}  // namespace

TEST_CASE("all short floats widen to their value", "[tensor]") {
  CHECK(widening_errors(fp16) == 0);
  CHECK(widening_errors(bf16) == 0);
  CHECK(widening_errors(fp8) == 0);
}

TEST_CASE("all short floats survive the way to fp32 and back", "[tensor]") {
  CHECK(round_trip_errors(fp16) == 0);
  CHECK(round_trip_errors(bf16) == 0);
  CHECK(round_trip_errors(fp8) == 0);
}

TEST_CASE("narrowing rounds to nearest, ties to even", "[tensor]") {
  CHECK(rounding_errors(fp16) == 0);
  CHECK(rounding_errors(bf16) == 0);
  CHECK(rounding_errors(fp8) == 0);
  CHECK(sampled_errors(fp16) == 0);
  CHECK(sampled_errors(bf16) == 0);
  CHECK(sampled_errors(fp8) == 0);
}

TEST_CASE("narrowing at the edges", "[tensor]") {
  CHECK(heddle::fp32_to_fp16(65519.996F) == 0x7bff);
  CHECK(heddle::fp32_to_fp16(65520.0F) == 0x7c00);
  CHECK(heddle::fp32_to_fp16(-0x1p-25F) == 0x8000);
  CHECK(heddle::fp32_to_fp16(0x1.000002p-25F) == 0x0001);
  CHECK(heddle::fp32_to_fp16(heddle::float_of(0xff800001)) == 0x7e00);
  CHECK(heddle::fp32_to_bf16(heddle::float_of(0xff800001)) == 0x7fc0);
  CHECK(heddle::fp32_to_bf16(std::numeric_limits<float>::max()) == 0x7f80);
}

TEST_CASE("types have names and sizes", "[tensor]") {
  for (const dtype type :
       {dtype::fp16, dtype::bf16, dtype::fp32, dtype::int32, dtype::fp64, dtype::fp8}) {
    CHECK(heddle::parse_dtype(heddle::name_of(type)) == type);
  }
  CHECK_FALSE(heddle::parse_dtype("quad").has_value());
  CHECK(heddle::size_of(dtype::fp8) == 1);
  CHECK(heddle::size_of(dtype::bf16) == 2);
  CHECK(heddle::size_of(dtype::int32) == 4);
  CHECK(heddle::size_of(dtype::fp64) == 8);
}

TEST_CASE("arrays convert at any alignment", "[tensor]") {
  const std::vector<float> values = {0.5F, -2.0F, 3.0F, 65504.0F, -0.0F, 7.0F, 1.0F, -8.0F, 9.0F};
  for (const dtype type : {dtype::fp16, dtype::fp32, dtype::int32}) {
    std::vector<unsigned char> bytes(values.size() * 4 + 1);
    heddle::from_float(type, values.data(), bytes.data() + 1, values.size());
    std::vector<double> back(values.size());
    heddle::to_double(type, bytes.data() + 1, back.data(), back.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      CHECK(back[i] == (type == dtype::int32 ? std::trunc(values[i]) : values[i]));
    }
  }
}

TEST_CASE("floats outside int32 saturate", "[tensor]") {
  const std::vector<float> values = {3e9F, -3e9F, std::nanf(""), -0x1p31F, 0x1.fffffep30F};
  std::vector<std::int32_t> got(values.size());
  heddle::from_float(dtype::int32, values.data(), got.data(), got.size());
  CHECK(got == std::vector<std::int32_t>{INT32_MAX, INT32_MIN, 0, INT32_MIN, 2147483520});
}
