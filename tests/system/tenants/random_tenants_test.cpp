// Random workloads that set up trees or streams in the same switches, at once and anew for each
// job: every run ends, no register contract is broken, and every result is right bit for bit.
#include <catch2/catch.hpp>

#include "tests/support/heddle_run.hpp"
#include "tests/system/tenants/random_tenants.hpp"

using namespace heddle;

namespace {

void check(const char* netlist, unsigned seed, const std::string& workloads) {
  const heddle_run run(project_file(netlist), {{"workload", workloads},
                                               {"seed", std::to_string(seed)},
                                               {"train", seed % 2 == 0 ? "1" : "32"}});
  INFO("seed " << seed << "\n" << workloads << "\n" << run.report());
  REQUIRE(run.is_verified());
}

}  // namespace

TEST_CASE("random managers share the aggregators of switches") {
  for (unsigned seed = 1; seed <= 40; ++seed)
    check("tests/system/tenants/trees.yaml", seed, random_tenants(seed).by_trees());
}

TEST_CASE("random hosts share in-switch accelerators") {
  for (unsigned seed = 1; seed <= 40; ++seed)
    check("tests/system/tenants/accelerators.yaml", seed, random_tenants(seed).by_accelerators());
}
