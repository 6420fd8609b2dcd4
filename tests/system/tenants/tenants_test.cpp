// Workloads whose managers set trees up in the same switches, and workloads whose hosts share
// in-switch accelerators: at once, in turn, and where the devices have no room for all.
#include <catch2/catch.hpp>

#include "tests/support/heddle_run.hpp"

using namespace heddle;

namespace {

const std::string trees = project_file("tests/system/tenants/trees.yaml");
const std::string accelerators = project_file("tests/system/tenants/accelerators.yaml");

void check_rows(const std::string& netlist, const settings& values, const std::string& algorithm) {
  const heddle_run run(netlist, values);
  INFO(run.report());
  REQUIRE(run.is_verified());
  const nlohmann::json rows = run.stats()["collectives"];
  CHECK(rows.size() == 4);
  for (const auto& row : rows) CHECK(row["algorithm"] == algorithm);
  CHECK(rows[0]["shared_with"].size() == 1);  // else they would not meet
}

std::string error_of(const std::string& netlist, const settings& values) {
  const heddle_run run(netlist, values);
  INFO(run.report());
  REQUIRE(run.result().exited_with(2));
  return run.result().errors;
}

std::string sums_by(const std::string& host, const std::string& gpus, const std::string& more) {
  return "{collective: allreduce, algorithm: scin, bytes: 4 KiB, explain: off, setup: '" + host +
         ".cp', ranks: '" + gpus + "'" + more + "}";
}

}  // namespace

TEST_CASE("managers set trees up in the same switches at once") {
  check_rows(trees, {}, "tree");
}

TEST_CASE("hosts have streams of their own in the accelerators that they share") {
  check_rows(accelerators, {}, "scin");
}

#ifdef HEDDLE_HAS_RV64
TEST_CASE("managers and hosts that are RISC-V cores share devices, too") {
  check_rows(trees, {{"params.core", "rv64_core"}}, "tree");
  check_rows(accelerators, {{"params.core", "rv64_core"}}, "scin");
}
#endif

TEST_CASE("the buffers of a switch suffice for all its tenants") {
  check_rows(trees,
             {{"params.buffer", "16 KiB"}, {"workload[0].trees", "3"}, {"workload[1].trees", "3"}},
             "tree");
}

TEST_CASE("workloads with the same cores take turns with all streams") {
  const std::string all = sums_by("host[0]", "gpu*", ", streams: 8");
  const heddle_run run(accelerators, {{"workload", "[" + all + ", " + all + "]"}});
  INFO(run.report());
  CHECK(run.is_verified());
}

TEST_CASE("tenants for whom a device has no room are refused") {
  using Catch::Contains;
  const std::string low = sums_by("host[0]", "gpu[0..3]", ""),
                    high = sums_by("host[1]", "gpu[4..7]", ", streams: 5");
  CHECK_THAT(error_of(accelerators, {{"workload", "[" + low + ", " + high + "]"}}),
             Contains("1 groups of 5 streams each are 5, nvs[0].isa has 8 for 2 workloads"));
  CHECK_THAT(error_of(accelerators, {{"nvs[*].isa.streams", "1"}}),
             Contains("accelerators.yaml:") &&
                 Contains(": 2 workloads share devices that their cores set up, and nvs[0].isa has "
                          "room for 1: give workloads the same `ranks` and `setup`"));
  const std::string twice = sums_by("host[0..1]", "gpu*", "");
  CHECK_THAT(error_of(accelerators, {{"workload", twice}}),
             Contains("host[0].cp and host[1].cp would both set nvs[0].isa up: name one of them"));
}
