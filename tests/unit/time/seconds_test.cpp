#include <catch2/catch.hpp>

#include "platform/time/fs_time.hpp"

using namespace heddle;

TEST_CASE("seconds are the nearest double, as a literal would be") {
  CHECK(seconds(0) == 0);
  CHECK(seconds(1) == 1e-15);
  CHECK(seconds(250 * fs_per_ns) == 250e-9);
  CHECK(seconds(100 * fs_per_us) == 100e-6);
  CHECK(seconds(fs_per_s) == 1);
  for (fs_t ns = 1; ns < 1000; ++ns) {
    INFO(ns << " ns");
    CHECK(seconds(ns * fs_per_ns) == static_cast<double>(ns) / 1e9);
  }
}
