// Times that are too short are told, with the bound that they break.
#include <catch2/catch.hpp>

#include "models/workloads/collective/collective_bounds.hpp"

using namespace heddle;

TEST_CASE("a collective takes at least what its wires do") {
  collective_bounds bounds;
  bounds.ceiling_Bps = 1e9;
  bounds.shortest_way = 50 * fs_per_ns;
  CHECK(impossibility(1000, fs_per_us, bounds).empty());
  CHECK(impossibility(1000, 2 * fs_per_us, bounds).empty());
  CHECK_THAT(impossibility(1000, fs_per_us * 99 / 100, bounds),
             Catch::Contains("it took 990 ns") && Catch::Contains("take 1 us"));
}

TEST_CASE("a collective of no bytes takes at least a signal") {
  collective_bounds bounds;
  bounds.shortest_way = 50 * fs_per_ns;
  CHECK(impossibility(0, 50 * fs_per_ns, bounds).empty());
  CHECK_THAT(impossibility(0, 50 * fs_per_ns - 1, bounds),
             Catch::Contains("takes no less than 50 ns"));
}

TEST_CASE("nothing is asserted where wires are not known") {
  CHECK(impossibility(1000, 0, collective_bounds()).empty());
}
