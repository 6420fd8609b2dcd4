// Which ranks trees of aggregators can join, by the netlists of users.
#include "models/workloads/collective/aggregator_network.hpp"

#include <catch2/catch.hpp>

#include "platform/firmware/rank_core.hpp"
#include "platform/netlist/builder.hpp"
#include "platform/netlist/planner.hpp"
#include "platform/unit/simulation.hpp"

using namespace heddle;

namespace {

struct built {
  netlist_plan plan;
  simulation sim;
  built_system system;

  built(const char* netlist, const std::vector<netlist_override>& overrides)
      : plan(plan_netlist(netlist, overrides)), sim(plan.settings), system(plan, sim) {
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }

  aggregator_network network() {
    workload_cores cores;
    for (rank_core* each : sim.service<rank_directory>().cores)
      if (each->rank_path().rfind("gpu", 0) == 0) cores.ranks.push_back(each);
    return aggregator_network(cores, sim);
  }
};

}  // namespace

TEST_CASE("leaves and roots with aggregators join all ranks, one switch has none of them alone") {
  built tree("tree_allreduce.yaml", {{"params.leaves", "2"}, {"params.hosts", "2"}});
  const aggregator_network network = tree.network();
  CHECK(network.joins(0, 1));
  CHECK_FALSE(network.has_one_for_all());
  CHECK(network.rate_of(0) == 112.5e9);
}

TEST_CASE("ranks at one switch with an aggregator have it in common") {
  built tree("tree_allreduce.yaml", {{"params.leaves", "1"}, {"params.hosts", "3"}});
  CHECK(tree.network().has_one_for_all());
}

TEST_CASE("a tree has no more room than its smallest buffer") {
  built tree(
      "tree_allreduce.yaml",
      {{"params.leaves", "2"}, {"params.hosts", "2"}, {"root[*].aggregator.buffer", "1 KiB"}});
  CHECK(tree.network().smallest_buffer() == 1024);
}

TEST_CASE("a switch that has all ranks is a tree by itself, with room of its own") {
  built tree(
      "tree_allreduce.yaml",
      {{"params.leaves", "1"}, {"params.hosts", "2"}, {"root[*].aggregator.buffer", "1 KiB"}});
  CHECK(tree.network().smallest_buffer() == 4 << 20);
}

// A core switch without an aggregator joins the rails: rank 0 of each pod is on the first of them.
TEST_CASE("trees between pods join the ranks of a rail, not those of different rails") {
  built pods("pods.yaml", {{"params.pods", "2"},
                           {"params.gpus", "4"},
                           {"params.rails", "2"},
                           {"params.leaves", "2"},
                           {"params.spines", "1"}});
  const aggregator_network network = pods.network();
  CHECK(network.joins(0, 4));
  CHECK(network.joins(1, 4));
  CHECK_FALSE(network.joins(0, 1));
  CHECK(network.rate_of(0) == 50e9);  // without the links to the switches of its pod
}
