#include "models/workloads/inference/inference_summary.hpp"

#include <catch2/catch.hpp>

using namespace heddle;

TEST_CASE("Amdahl's law") {
  CHECK(amdahl_gain(0.5, 2) == Approx(1 / 0.75));
  CHECK(amdahl_gain(0, 100) == 1);
  CHECK(amdahl_gain(0.47, 3.8) == Approx(1.53).epsilon(0.005));  // SCIN: 47 %, 3.8 x, 1.52 x
}

TEST_CASE("algorithms side by side, and what depends on the efficiency of kernels") {
  inference_summary of;
  of.expect({"ring", "scin"}, 3);
  CHECK(of.table().empty());
  for (std::size_t step = 0; step < 3; ++step) {
    of.add(0, step, {4e-3, 2e-3});
    of.add(1, step, {3e-3, 2e-3});
  }
  CHECK(of.gain(1, 0) == Approx(4. / 3));
  CHECK(of.tpot(1).time == Approx(3e-3));
  CHECK(of.tpot(1).share() == Approx(1. / 3));
  CHECK_THAT(of.table(), Catch::Contains("TTFT") && Catch::Contains("TPOT") &&
                             Catch::Contains("1.333 x") && Catch::Contains("2.00 x"));
  // The run was at 0.5; at 0.8 kernels take 0.75 ms less.
  const std::string text =
      of.sensitivity([](std::size_t, double efficiency) { return 1e-3 / efficiency; }, 0.5);
  CHECK_THAT(text, Catch::Contains("1.333 x") && Catch::Contains("1.444 x"));
}
