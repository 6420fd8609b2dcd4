// Steps of collectives, counted on the critical path of a small message: each crosses 100 ns of
// wire (in-network collectives 1.4).
#include <catch2/catch.hpp>

#include "tests/support/heddle_run.hpp"

using namespace heddle;

namespace {

double steps_of(const char* netlist, settings values) {
  values.emplace_back("workload.explain", "on");
  values.emplace_back("data", "on");
  values.emplace_back("workload.dtype", "int32");
  const heddle_run run(project_file(netlist), values);
  INFO(run.report());
  REQUIRE(run.is_verified());
  return run.stats()["collectives"][0]["breakdown"]["propagation"].get<double>() / 100e-9;
}

}  // namespace

TEST_CASE("steps of collectives on a star") {
  const struct {
    const char *collective, *algorithm;
    int steps;
  } cases[] = {{"allreduce", "ring", 2 * 15},
               {"allreduce", "double_tree", 2 * 4},
               {"allreduce", "halving_doubling", 2 * 4},
               {"allgather", "ring", 15},
               {"allgather", "recursive_doubling", 4},
               {"reduce_scatter", "halving_doubling", 4},
               {"broadcast", "double_tree", 4},
               {"alltoall", "pairwise", 15}};
  for (const auto& each : cases) {
    CAPTURE(each.collective, each.algorithm);
    CHECK(steps_of("yaml/ladder_star.yaml", {{"params.ranks", "16"},
                                             {"workload.collective", each.collective},
                                             {"workload.algorithm", each.algorithm},
                                             {"workload.bytes", "1024 B"}}) ==
          Approx(each.steps).epsilon(1e-9));
  }
}

TEST_CASE("steps of collectives on a torus") {
  const struct {
    const char *collective, *algorithm;
    int steps;
  } cases[] = {{"allreduce", "torus", 2 * 9},
               {"allgather", "torus", 9},
               {"broadcast", "torus", 6},
               {"alltoall", "direct", 6}};
  for (const auto& each : cases) {
    CAPTURE(each.collective, each.algorithm);
    CHECK(steps_of("yaml/ladder_torus.yaml", {{"params.x", "4"},
                                              {"params.y", "4"},
                                              {"params.z", "4"},
                                              {"workload.collective", each.collective},
                                              {"workload.algorithm", each.algorithm},
                                              {"workload.bytes", "1024 B"}}) ==
          Approx(each.steps).epsilon(1e-9));
  }
}

TEST_CASE("steps of collectives in the network") {
  const struct {
    const char* algorithm;
    int steps;
  } cases[] = {{"tree", 1}, {"tree_two_phase", 2}};
  for (const auto& each : cases) {
    CAPTURE(each.algorithm);
    CHECK(steps_of("yaml/ladder_inc.yaml", {{"params.ranks", "16"},
                                            {"workload.algorithm", each.algorithm},
                                            {"workload.bytes", "1024 B"}}) ==
          Approx(each.steps).epsilon(1e-9));
  }
}
