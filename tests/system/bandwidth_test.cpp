// Large ring all-reduces run at what the wires leave for payload: in each direction 450 GB/s, of
// which 128 B in 160 are payload (a header of 16 B, and 16 B of response to the other direction).
#include <catch2/catch.hpp>

#include "tests/support/heddle_run.hpp"

using namespace heddle;

namespace {

void check(const char* gpus, const char* train) {
  const heddle_run run(
      project_file("yaml/ring_allreduce.yaml"),
      {{"params.gpus", gpus}, {"workload.bytes", "64 MiB"}, {"data", "off"}, {"train", train}});
  INFO(run.report());
  REQUIRE(run.result().exited_with(0));
  const double ranks = std::stod(gpus);
  const double wires = 360e9;
  const double algbw = run.stats()["collectives"][0]["algbw_Bps"].get<double>();
  CHECK(algbw == Approx(ranks / (2 * (ranks - 1)) * wires).epsilon(0.02));
}

}  // namespace

TEST_CASE("64 MiB among 2 run at the wires' bandwidth", "[fidelity]") {
  check("2", "32");
}
TEST_CASE("64 MiB among 4 run at the wires' bandwidth", "[fidelity]") {
  check("4", "32");
}
TEST_CASE("64 MiB among 16 run at the wires' bandwidth", "[fidelity]") {
  check("16", "32");
}
TEST_CASE("64 MiB among 8, packet by packet, run at the wires' bandwidth", "[fidelity]") {
  check("8", "1");
}
