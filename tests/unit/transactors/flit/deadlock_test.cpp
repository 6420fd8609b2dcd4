// The check of channel dependencies before the simulation starts.
#include <catch2/catch.hpp>

#include "platform/netlist/builder.hpp"
#include "platform/netlist/planner.hpp"

using namespace heddle;

namespace {

std::string refusal(const std::vector<netlist_override>& overrides) {
  const netlist_plan plan = plan_netlist("mesh_traffic.yaml", overrides);
  simulation sim(plan.settings);
  try {
    const built_system system(plan, sim);
  } catch (const user_error& error) {
    return error.what();
  }
  return {};
}

const std::vector<netlist_override> small = {{"params.width", "2"}, {"params.height", "2"}};

}  // namespace

TEST_CASE("a mesh that routes in one order of dimensions is free of deadlock") {
  CHECK(refusal({{"params.width", "16"}, {"params.height", "16"}}).empty());
}

TEST_CASE("the other order is as good") {
  CHECK(refusal({{"router[*].routing", "yx"}}).empty());
}

// Two routers that turn from y to x close the two circles that x first leaves open.
TEST_CASE("a mesh whose routers turn both ways is refused with the circle") {
  auto overrides = small;
  overrides.push_back({"router[0].routing", "yx"});
  overrides.push_back({"router[3].routing", "yx"});
  const std::string text = refusal(overrides);
  CHECK_THAT(text,
             Catch::Contains("this network can deadlock: each of these channels waits for the "
                             "next: "));
  CHECK_THAT(text, Catch::Contains(" -> router["));
}
