// Lengths are those of the logarithm, draw by draw, from a table or not.
#include "models/traffic/geometric_lengths.hpp"

#include <catch2/catch.hpp>
#include <cmath>

using namespace heddle;

TEST_CASE("a table gives the lengths that the logarithm gives") {
  for (const double succeeds : {1e-9, 0.001, 0.02, 0.1, 0.3, 0.5, 0.9, 0.999}) {
    INFO(succeeds);
    const double log_failing = std::log1p(-succeeds);
    const geometric_lengths& lengths = geometric_lengths::with_log(log_failing);
    random_stream drawn(7, "lengths"), same(7, "lengths");
    for (int i = 0; i < 100'000; ++i) {
      const double expected = std::floor(std::log1p(-same.fraction()) / log_failing);
      REQUIRE(lengths.draw(drawn) == static_cast<std::uint64_t>(expected));
    }
  }
}

TEST_CASE("where no trial fails all lengths are 0, and where all fail there is no end") {
  random_stream random(7, "ends");
  for (int i = 0; i < 1000; ++i) {
    CHECK(geometric_lengths::with_log(-INFINITY).draw(random) == 0);
    CHECK(geometric_lengths::with_log(-1e-300).draw(random) == geometric_lengths::without_end);
  }
}

TEST_CASE("sources of one load share a table") {
  CHECK(&geometric_lengths::with_log(-0.5) == &geometric_lengths::with_log(-0.5));
  CHECK(&geometric_lengths::with_log(-0.5) != &geometric_lengths::with_log(-0.25));
}
