// The median of benchmarks.
#include "platform/number/median.hpp"

#include <catch2/catch.hpp>

using namespace heddle;

TEST_CASE("the median is the middle, or the mean of the two in the middle") {
  CHECK(median_of({3}) == 3);
  CHECK(median_of({9, 1}) == 5);
  CHECK(median_of({9, 1, 2}) == 2);
  CHECK(median_of({7, 1, 100, 3}) == 5);
}
