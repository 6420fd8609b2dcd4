#include "platform/tensor/reduce.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "platform/tensor/float_bits.hpp"
#include "platform/tensor/fp16_sum.hpp"
#include "platform/tensor/random.hpp"
#include "tests/unit/tensor/slow_float.hpp"

namespace {

using heddle::dtype;
using heddle::reduce_op;

constexpr reduce_op all_ops[] = {reduce_op::sum, reduce_op::min, reduce_op::max};

// minimum and maximum of IEEE 754-2019, word by word.
double slow_extreme(reduce_op op, double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<double>::quiet_NaN();
  const bool a_is_less = a < b || (a == b && std::signbit(a));
  return a_is_less == (op == reduce_op::min) ? a : b;
}

std::uint16_t slow_reduce(const heddle::slow::format& format, reduce_op op, std::uint16_t a,
                          std::uint16_t b) {
  const double x = heddle::slow::value(format, a);
  const double y = heddle::slow::value(format, b);
  // bf16 sums may need more bits than a double has; fp32 first is the definition.
  const double result = op == reduce_op::sum
                            ? static_cast<double>(static_cast<float>(x) + static_cast<float>(y))
                            : slow_extreme(op, x, y);
  return heddle::slow::round(format, result);
}

// Every value against those partners that sit at the formats' edges.
int errors_of_16_bits(dtype type, const heddle::slow::format& format, reduce_op op) {
  const std::vector<std::uint16_t> partners = {
      0x0000, 0x8000, 0x0001, 0x8001, 0x03ff, 0x0400, 0x83ff, 0x3c00, 0xbc01, 0x5555, 0xd6a7,
      0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7c01, 0xfe00, 0x7f7f, 0xff7f, 0x7f80, 0xff80, 0x7fff};
  std::vector<std::uint16_t> own(65536);
  std::vector<std::uint16_t> other(65536);
  int errors = 0;
  for (const std::uint16_t partner : partners) {
    for (std::size_t i = 0; i < own.size(); ++i) own[i] = static_cast<std::uint16_t>(i);
    std::fill(other.begin(), other.end(), partner);
    heddle::reduce(type, op, own.data(), other.data(), own.size());
    for (std::size_t i = 0; i < own.size(); ++i) {
      errors += own[i] != slow_reduce(format, op, static_cast<std::uint16_t>(i), partner);
    }
    for (std::size_t i = 0; i < other.size(); ++i) {
      const auto word = static_cast<std::uint16_t>(i);
      other[i] = partner;
      heddle::reduce(type, op, &other[i], &word, 1);
    }
    errors += other != own;
  }
  return errors;
}

// Random bit patterns hold every kind of number; enough of them meet in pairs.
std::vector<std::uint32_t> random_words(std::size_t count, std::uint64_t rank) {
  std::vector<std::uint32_t> words(count);
  heddle::fill_random(dtype::int32, words.data(), count, 42, rank);
  return words;
}

std::vector<std::uint32_t> reduced(dtype type, reduce_op op, std::vector<std::uint32_t> own,
                                   const std::vector<std::uint32_t>& other) {
  heddle::reduce(type, op, own.data(), other.data(), own.size() * 4 / heddle::size_of(type));
  return own;
}

std::uint32_t reduce_fp32(reduce_op op, std::uint32_t a, std::uint32_t b) {
  heddle::reduce(dtype::fp32, op, &a, &b, 1);
  return a;
}

}  // namespace

TEST_CASE("and, or and xor are of bits, and of int32 alone") {
  const struct {
    reduce_op op;
    std::uint32_t expected;
  } cases[] = {{reduce_op::bit_and, 0x80000030U},
               {reduce_op::bit_or, 0x800000fcU},
               {reduce_op::bit_xor, 0x000000ccU}};
  for (const auto& each : cases) {
    std::uint32_t own = 0x800000f0U;
    const std::uint32_t other = 0x8000003cU;
    heddle::reduce(dtype::int32, each.op, &own, &other, 1);
    CHECK(own == each.expected);
    CHECK(heddle::parse_reduce_op(heddle::name_of(each.op)) == each.op);
    CHECK(heddle::applies_to(each.op, dtype::int32));
    CHECK_FALSE(heddle::applies_to(each.op, dtype::fp32));
  }
  CHECK_FALSE(heddle::is_known(static_cast<reduce_op>(3)));
}

TEST_CASE("fp16 reductions match the definition and commute", "[tensor]") {
  for (const reduce_op op : all_ops) {
    CHECK(errors_of_16_bits(dtype::fp16, heddle::slow::fp16, op) == 0);
  }
}

TEST_CASE("bf16 reductions match the definition and commute", "[tensor]") {
  for (const reduce_op op : all_ops) {
    CHECK(errors_of_16_bits(dtype::bf16, heddle::slow::bf16, op) == 0);
  }
}

TEST_CASE("every pair of fp8 reduces as the definition says", "[tensor]") {
  for (const reduce_op op : all_ops) {
    int errors = 0;
    for (int pair = 0; pair < 256 * 256; ++pair) {
      auto own = static_cast<std::uint8_t>(pair);
      const auto other = static_cast<std::uint8_t>(pair >> 8);
      const std::uint16_t expected = slow_reduce(heddle::slow::fp8, op, own, other);
      heddle::reduce(dtype::fp8, op, &own, &other, 1);
      errors += own != expected;
    }
    CHECK(errors == 0);
  }
}

TEST_CASE("random pairs of fp16 add as in exact arithmetic", "[tensor]") {
  const std::size_t count = 1 << 20;
  const auto a = random_words(count / 2, 0);
  const auto b = random_words(count / 2, 1);
  const auto sum = reduced(dtype::fp16, reduce_op::sum, a, b);
  const auto word = [](const std::vector<std::uint32_t>& words, std::size_t i) {
    return static_cast<std::uint16_t>(words[i / 2] >> (i % 2 * 16));
  };
  int errors = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double x = heddle::slow::value(heddle::slow::fp16, word(a, i));
    const double y = heddle::slow::value(heddle::slow::fp16, word(b, i));
    errors += word(sum, i) != heddle::slow::round(heddle::slow::fp16, x + y);
  }
  CHECK(errors == 0);
}

TEST_CASE("sums of fp16 have the same bits with and without the processor's conversions",
          "[tensor]") {
  const auto a = random_words(1 << 18, 6);
  const auto b = random_words(1 << 18, 7);
  for (const std::size_t elements : {std::size_t{2} << 18, std::size_t{75}, std::size_t{7}}) {
    auto sum = a, by_integers = a;
    heddle::add_fp16(sum.data(), a.data(), b.data(), elements);
    heddle::add_fp16_by_integers(by_integers.data(), a.data(), b.data(), elements);
    CHECK(sum == by_integers);
  }
}

TEST_CASE("every operation commutes bit for bit in every type", "[tensor]") {
  const auto a = random_words(1 << 18, 2);
  const auto b = random_words(1 << 18, 3);
  for (const dtype type : {dtype::fp16, dtype::bf16, dtype::fp32, dtype::int32, dtype::fp8}) {
    for (const reduce_op op : all_ops) CHECK(reduced(type, op, a, b) == reduced(type, op, b, a));
  }
}

TEST_CASE("fp32 reductions at the edges", "[tensor]") {
  constexpr std::uint32_t plus_zero = 0;
  constexpr std::uint32_t minus_zero = 0x80000000;
  constexpr std::uint32_t infinity = 0x7f800000;
  constexpr std::uint32_t quiet_nan = 0x7fc00000;
  CHECK(reduce_fp32(reduce_op::min, plus_zero, minus_zero) == minus_zero);
  CHECK(reduce_fp32(reduce_op::max, minus_zero, plus_zero) == plus_zero);
  CHECK(reduce_fp32(reduce_op::sum, minus_zero, minus_zero) == minus_zero);
  CHECK(reduce_fp32(reduce_op::sum, infinity, infinity | minus_zero) == quiet_nan);
  for (const reduce_op op : all_ops) {
    CHECK(reduce_fp32(op, 0xffffffff, 0x3f800000) == quiet_nan);
    CHECK(reduce_fp32(op, infinity, 0x7f800001) == quiet_nan);
  }
  CHECK(reduce_fp32(reduce_op::min, infinity, 1) == 1);
  CHECK(reduce_fp32(reduce_op::max, infinity | minus_zero, minus_zero | 1) == (minus_zero | 1));
  CHECK(reduce_fp32(reduce_op::sum, 0x00000001, 0x00000001) == 0x00000002);
}

TEST_CASE("two arrays reduce into a third, or into the first", "[tensor]") {
  const auto a = random_words(1000, 4);
  const auto b = random_words(1000, 5);
  for (const dtype type : {dtype::fp16, dtype::bf16, dtype::fp32, dtype::int32, dtype::fp8}) {
    for (const reduce_op op : all_ops) {
      const std::size_t elements = 4000 / heddle::size_of(type) - 1;
      std::vector<std::uint32_t> expected = a, third(1000, 0x5a5a5a5a), first = a;
      heddle::reduce(type, op, expected.data(), b.data(), elements);
      heddle::reduce(type, op, first.data(), first.data(), b.data(), elements);
      heddle::reduce(type, op, third.data(), a.data(), b.data(), elements);
      CHECK(first == expected);
      const std::size_t bytes = elements * heddle::size_of(type);
      CHECK(std::memcmp(third.data(), expected.data(), bytes) == 0);
      CHECK(reinterpret_cast<const unsigned char*>(third.data())[bytes] == 0x5a);
    }
  }
}

TEST_CASE("int32 wraps and orders as signed", "[tensor]") {
  const std::vector<std::int32_t> a = {INT32_MAX, INT32_MIN, -1, 5};
  const std::vector<std::int32_t> b = {1, -1, 0, -5};
  const auto result = [&](reduce_op op) {
    std::vector<std::int32_t> own = a;
    heddle::reduce(dtype::int32, op, own.data(), b.data(), own.size());
    return own;
  };
  CHECK(result(reduce_op::sum) == std::vector<std::int32_t>{INT32_MIN, INT32_MAX, -1, 0});
  CHECK(result(reduce_op::min) == std::vector<std::int32_t>{1, INT32_MIN, -1, -5});
  CHECK(result(reduce_op::max) == std::vector<std::int32_t>{INT32_MAX, -1, 0, 5});
}

TEST_CASE("reductions need no alignment and stop at the last element", "[tensor]") {
  for (const std::size_t elements : {0, 1, 3, 7, 8, 9, 31, 64}) {
    std::vector<unsigned char> own(elements * 2 + 2, 0xee);
    std::vector<unsigned char> other(elements * 2 + 1, 0);
    heddle::fill_random(dtype::fp16, own.data() + 1, elements, 1, 0);
    const std::vector<unsigned char> before = own;
    heddle::reduce(dtype::fp16, reduce_op::sum, own.data() + 1, other.data() + 1, elements);
    CHECK(own == before);  // nothing in random data is -0, which +0 would turn over
  }
}

TEST_CASE("operations have names", "[tensor]") {
  for (const reduce_op op : all_ops) CHECK(heddle::parse_reduce_op(heddle::name_of(op)) == op);
  CHECK_FALSE(heddle::parse_reduce_op("prod").has_value());
}
