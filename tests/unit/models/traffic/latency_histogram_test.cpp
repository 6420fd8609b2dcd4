#include "platform/services/latency_histogram.hpp"

#include <catch2/catch.hpp>

using heddle::fs_t;
using heddle::latency_histogram;

TEST_CASE("a quantile of one value is that value within 1.6 %") {
  for (fs_t value = 1; value < fs_t{1} << 60; value = value * 3 + 1) {
    latency_histogram h;
    h.add(value);
    INFO(value);
    const auto found = static_cast<double>(h.quantile(0.5));
    CHECK(found == Approx(static_cast<double>(value)).epsilon(1.0 / 64));
  }
}

TEST_CASE("quantiles of a uniform distribution lie where they should") {
  latency_histogram low, high;
  for (fs_t i = 1; i <= 10'000; ++i) (i <= 5'000 ? low : high).add(i * 1'000);
  low.merge(high);
  CHECK(low.total() == 10'000);
  CHECK(static_cast<double>(low.quantile(0.5)) == Approx(5e6).epsilon(0.02));
  CHECK(static_cast<double>(low.quantile(0.99)) == Approx(9.9e6).epsilon(0.02));
  CHECK(static_cast<double>(low.quantile(1)) == Approx(1e7).epsilon(0.02));
  CHECK(latency_histogram().quantile(0.5) == 0);
}
