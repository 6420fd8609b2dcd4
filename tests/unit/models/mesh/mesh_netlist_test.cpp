// The netlists of meshes, as a user runs them.
#include <catch2/catch.hpp>

#include "models/mesh/traffic/mesh_traffic.hpp"
#include "platform/netlist/builder.hpp"
#include "platform/netlist/planner.hpp"
#include "platform/unit/simulation.hpp"
#include "transactors/flit/flit_link_parameters.hpp"

using namespace heddle;

namespace {

struct totals {
  std::uint64_t nodes = 0, sent = 0, received = 0;
};

totals run(const std::string& netlist, const std::vector<netlist_override>& overrides) {
  const netlist_plan plan = plan_netlist(netlist, overrides);
  simulation sim(plan.settings);
  const built_system system(plan, sim);
  sc_core::sc_start();
  totals sum;
  for (const unit* each : sim.units()) {
    const auto* node = dynamic_cast<const mesh_traffic*>(each);
    if (!node) continue;
    ++sum.nodes;
    sum.sent += node->count().flits_sent.raw();
    sum.received += node->count().flits_received.raw();
  }
  return sum;
}

void check(const totals& sum, std::uint64_t nodes) {
  CHECK(sum.nodes == nodes);
  CHECK(sum.sent > 1000 * nodes);
  CHECK(sum.received == sum.sent);
}

}  // namespace

TEST_CASE("a rectangular mesh of three links a tile carries traffic on all of them") {
  check(run("mesh_links.yaml", {{"params.width", "5"}, {"params.height", "4"}}), 3 * 5 * 4);
}

TEST_CASE("a mesh with 12 virtual channels and single-flit buffers, y first, loses nothing") {
  check(run("mesh_traffic.yaml", {{"params.width", "6"},
                                  {"params.height", "3"},
                                  {"params.vcs", "12"},
                                  {"params.buffer", "1"},
                                  {"params.packet_flits", "5"},
                                  {"params.rate", "0.3"},
                                  {"router[*].routing", "yx"}}),
        6 * 3);
}

TEST_CASE("a mesh far beyond saturation loses nothing") {
  check(run("mesh_traffic.yaml", {{"params.pattern", "transpose"},
                                  {"params.vcs", "2"},
                                  {"params.buffer", "3"},
                                  {"params.channel", "20"},
                                  {"params.packet_flits", "3"},
                                  {"params.rate", "0.9"},
                                  {"node[*].measure", "2 us"}}),
        8 * 8);
}

TEST_CASE("13 virtual channels are one too many") {
  const netlist_plan plan = plan_netlist("mesh_traffic.yaml", {{"params.vcs", "13"}});
  simulation sim(plan.settings);
  CHECK_THROWS_WITH(built_system(plan, sim),
                    Catch::Contains("13 virtual channels, a mesh_router has 12 at most"));
}

TEST_CASE("the buffer of a mesh of tiles is that of every link") {
  for (const char* netlist : {"mesh_tiles.yaml", "mesh_gemm.yaml"}) {
    const netlist_plan plan = plan_netlist(netlist, {{"params.buffer", "7"}});
    REQUIRE(plan.links.size() > 100);
    for (const planned_link& each : plan.links)
      CHECK(dynamic_cast<const flit_link_parameters&>(*each.parameters).buffer() == 7);
  }
}
