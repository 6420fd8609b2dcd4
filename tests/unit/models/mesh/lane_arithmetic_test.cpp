// What functional units make of special numbers, bit by bit.
#include "models/mesh/collective/lane_arithmetic.hpp"

#include <catch2/catch.hpp>

using namespace heddle;

namespace {

constexpr std::uint64_t sign = std::uint64_t{1} << 63, infinity = 0x7ff0000000000000,
                        quiet_nan = 0x7ff8000000000000, payload_nan = quiet_nan | 5,
                        signaling_nan = infinity | 1, one = 0x3ff0000000000000,
                        two = 0x4000000000000000;

// Of every lane; the operands are put in both orders.
std::uint64_t combined(flit_op op, std::uint64_t left, std::uint64_t right) {
  flit_payloads pool;
  const auto block = [&pool](std::uint64_t bits) {
    const payload_handle made = pool.take();
    pool.at(made).words.fill(bits);
    return made;
  };
  const payload_handle first = combine_lanes(pool, op, block(left), block(right));
  const payload_handle second = combine_lanes(pool, op, block(right), block(left));
  const std::uint64_t bits = pool.at(first).words[0];
  for (const payload_handle each : {first, second})
    for (const std::uint64_t lane : pool.at(each).words) CHECK(lane == bits);
  CHECK(pool.in_use() == 2);
  return bits;
}

}  // namespace

TEST_CASE("a sum in a router has the bits of every other sum") {
  const auto sum = [](std::uint64_t a, std::uint64_t b) {
    return combined(flit_op::add_f64, a, b);
  };
  CHECK(sum(one, one) == two);
  CHECK(sum(infinity, infinity | sign) == quiet_nan);
  CHECK(sum(payload_nan, one) == quiet_nan);
  CHECK(sum(payload_nan | sign, signaling_nan) == quiet_nan);
  CHECK(sum(infinity, one) == infinity);
  CHECK(sum(sign, sign) == sign);
  CHECK(sum(sign, 0) == 0);
  CHECK(sum(1, 1) == 2);  // denormals
  CHECK(sum(1, sign | 1) == 0);
}

TEST_CASE("lanes of 32, 16 and 8 bits are as many as a beat holds") {
  const auto lanes = [](std::uint64_t pattern, int bits) {
    std::uint64_t all = 0;
    for (int at = 0; at < 64; at += bits) all |= pattern << at;
    return all;
  };
  const std::uint64_t one_f32 = lanes(0x3f800000, 32), two_f32 = lanes(0x40000000, 32),
                      one_f16 = lanes(0x3c00, 16), two_f16 = lanes(0x4000, 16),
                      one_f8 = lanes(0x3c, 8), two_f8 = lanes(0x40, 8);
  CHECK(combined(flit_op::add_f32, one_f32, one_f32) == two_f32);
  CHECK(combined(flit_op::max_f32, one_f32, two_f32) == two_f32);
  CHECK(combined(flit_op::min_f32, one_f32, two_f32) == one_f32);
  CHECK(combined(flit_op::add_f16, one_f16, one_f16) == two_f16);
  CHECK(combined(flit_op::max_f16, one_f16, two_f16) == two_f16);
  CHECK(combined(flit_op::min_f16, one_f16, two_f16) == one_f16);
  CHECK(combined(flit_op::add_f8, one_f8, one_f8) == two_f8);
  CHECK(combined(flit_op::max_f8, one_f8, two_f8) == two_f8);
  CHECK(combined(flit_op::min_f8, one_f8, two_f8) == one_f8);
  CHECK(combined(flit_op::min_f64, one, two) == one);
  CHECK(combined(flit_op::add_f32, lanes(0x7f800001, 32), one_f32) == lanes(0x7fc00000, 32));
}

TEST_CASE("a maximum in a router takes a NaN from either side, and +0 for more than -0") {
  const auto largest = [](std::uint64_t a, std::uint64_t b) {
    return combined(flit_op::max_f64, a, b);
  };
  CHECK(largest(one, two) == two);
  CHECK(largest(payload_nan, one) == quiet_nan);
  CHECK(largest(signaling_nan, infinity) == quiet_nan);
  CHECK(largest(infinity | sign, one) == one);
  CHECK(largest(sign, 0) == 0);
  CHECK(largest(1, sign | 1) == 1);
}
