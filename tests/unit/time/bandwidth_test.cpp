#include "platform/time/bandwidth.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <random>

using heddle::bandwidth;
using heddle::fs_t;

namespace {

// Rounded to the nearest femtosecond, in exact arithmetic.
fs_t exact(std::uint64_t bytes, std::uint64_t rate) {
  __extension__ using wide = unsigned __int128;
  return static_cast<fs_t>((static_cast<wide>(bytes) * heddle::fs_per_s * 2 + rate) /
                           (static_cast<wide>(rate) * 2));
}

}  // namespace

TEST_CASE("durations that everybody can check") {
  CHECK(bandwidth(112'500'000'000).duration(16) == 142'222);
  CHECK(bandwidth(112'500'000'000).duration(144) == 1'280'000);
  CHECK(bandwidth(1'000'000'000'000).duration(1) == 1'000);
  CHECK(bandwidth(450'000'000'000).duration(16) == 35'556);
  CHECK(bandwidth(1'000'000).duration(1) == heddle::fs_per_us);
  CHECK(bandwidth(112'500'000'000).duration(0) == 0);
}

TEST_CASE("durations of packets are the exact quotient rounded to the nearest femtosecond") {
  std::mt19937_64 random(1);
  for (int i = 0; i < 200'000; ++i) {
    const std::uint64_t rate = 1'000'000'000 + random() % 5'000'000'000'000;
    const std::uint64_t bytes = random() % 65'536;
    const fs_t ours = bandwidth(rate).duration(bytes);
    const fs_t true_value = exact(bytes, rate);
    // A tie may fall either way: the factor itself is rounded to 2^-32 fs.
    REQUIRE((ours > true_value ? ours - true_value : true_value - ours) <= 1);
  }
}

TEST_CASE("a gibibyte is off by a femtosecond at most") {
  for (const std::uint64_t rate : {1'000'000ULL, 112'500'000'000ULL, 4'800'000'000'000ULL}) {
    const fs_t ours = bandwidth(rate).duration(1ULL << 30);
    const fs_t true_value = exact(1ULL << 30, rate);
    CHECK((ours > true_value ? ours - true_value : true_value - ours) <= 1);
  }
}
