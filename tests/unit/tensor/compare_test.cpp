#include "platform/tensor/compare.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <vector>

namespace {

using heddle::dtype;

std::uint64_t fp16_ulp(std::uint16_t a, std::uint16_t b) {
  return heddle::compare(dtype::fp16, &a, &b, 1).max_ulp;
}

}  // namespace

TEST_CASE("identical tensors", "[tensor]") {
  const std::vector<float> a = {1, 2, std::nanf(""), -0.0F};
  const auto same = heddle::compare(dtype::fp32, a.data(), a.data(), a.size());
  CHECK(same.identical);
  CHECK(same.first_difference == a.size());
  CHECK(same.mismatches == 0);
  CHECK(same.max_ulp == 0);
  CHECK(heddle::compare(dtype::fp32, nullptr, nullptr, 0).identical);
}

TEST_CASE("differences are counted and the first is named", "[tensor]") {
  const std::vector<float> expected = {1, 2, 3, 4, 5};
  std::vector<float> got = expected;
  got[1] = std::nextafterf(2, 3);
  got[4] = std::nextafterf(std::nextafterf(std::nextafterf(5, 0), 0), 0);
  const auto result = heddle::compare(dtype::fp32, got.data(), expected.data(), got.size());
  CHECK_FALSE(result.identical);
  CHECK(result.first_difference == 1);
  CHECK(result.mismatches == 2);
  CHECK(result.max_ulp == 3);
}

TEST_CASE("ULP distance crosses zero and reaches infinity", "[tensor]") {
  CHECK(fp16_ulp(0x0000, 0x8000) == 0);
  CHECK(fp16_ulp(0x0001, 0x8001) == 2);
  CHECK(fp16_ulp(0x7bff, 0x7c00) == 1);
  CHECK(fp16_ulp(0x7c00, 0xfc00) == 2 * 0x7c00);
  CHECK(fp16_ulp(0x7e00, 0xfe01) == 0);
  CHECK(fp16_ulp(0x7e00, 0x3c00) == UINT64_MAX);
  const std::int32_t low = INT32_MIN;
  const std::int32_t high = INT32_MAX;
  CHECK(heddle::compare(dtype::int32, &low, &high, 1).max_ulp == UINT32_MAX);
}

TEST_CASE("relative error", "[tensor]") {
  const std::vector<float> got = {3, 4, 0};
  const std::vector<double> reference = {3, 4, 0.5};
  CHECK(heddle::relative_error(dtype::fp32, got.data(), reference.data(), 2) == 0);
  CHECK(heddle::relative_error(dtype::fp32, got.data(), reference.data(), 3) ==
        Approx(0.5 / std::sqrt(25.25)));
  const float infinity = std::numeric_limits<float>::infinity();
  const std::vector<double> infinite = {std::numeric_limits<double>::infinity(), 0};
  CHECK(heddle::relative_error(dtype::fp32, &infinity, infinite.data(), 1) == 0);
  CHECK(std::isinf(heddle::relative_error(dtype::fp32, got.data(), infinite.data() + 1, 1)));
}
