// What `algorithm: auto` takes where little may be under way: it knows what hardware and software
// may have on its way, and what waits for answers.
#include <catch2/catch.hpp>
#include <utility>

#include "tests/support/chosen_algorithm.hpp"

using namespace heddle;

namespace {

// Of leaves and spines, hosts at one leaf: all ranks are at one switch.
std::string chosen_at_one_switch(const char* hosts, settings values) {
  values.insert(values.end(),
                {{"params.leaves", "1"}, {"params.spines", "1"}, {"params.hosts", hosts}});
  return chosen_by_auto("yaml/leaf_spine.yaml", std::move(values));
}

// Two switches of three ranks each, below a root.
std::string chosen_by_trees(settings values) {
  values.insert(values.end(),
                {{"params.leaves", "2"}, {"params.hosts", "3"}, {"workload.bytes", "261888 B"}});
  return chosen_by_auto("yaml/tree_allreduce.yaml", std::move(values));
}

}  // namespace

// By trees with the small buffer the job takes 970 us, by `direct` 11 us.
TEST_CASE("auto knows that ranks keep to the buffers of aggregators") {
  CHECK(chosen_by_trees({{"root[*].aggregator.buffer", "4 MiB"}}) == "tree");
  CHECK(chosen_by_trees({{"root[*].aggregator.buffer", "1 KiB"}}) == "direct");
}

// One switch that has all ranks is the whole tree: the root's buffer has no part in it.
TEST_CASE("auto goes by the buffers of the switches that a tree needs") {
  CHECK(chosen_by_trees(
            {{"workload.ranks", "gpu[0..2]"}, {"root[*].aggregator.buffer", "1 KiB"}}) == "tree");
}

TEST_CASE("auto knows that waves keep to the tables of in-switch accelerators") {
  const auto chosen = [](const char* table) {
    return chosen_by_auto("yaml/scin_dgx8.yaml", {{"params.table", table},
                                                  {"params.planes", "1"},
                                                  {"workload.ranks", "gpu[0..5]"},
                                                  {"workload.bytes", "1 MiB"}});
  };
  CHECK(chosen("64 KiB") == "scin");
  CHECK(chosen("8 KiB") == "direct");
}

TEST_CASE("auto knows how many packets may be without an answer") {
  const auto chosen = [](const char* packets, settings values) {
    values.emplace_back("gpu[*].ni.outstanding", packets);
    return chosen_by_auto("yaml/scin_dgx8.yaml", std::move(values));
  };
  const settings by_hardware = {{"params.gpus", "5"},
                                {"params.planes", "1"},
                                {"params.table", "24 KiB"},
                                {"workload.bytes", "1 MiB"}};
  CHECK(chosen("4096", by_hardware) == "nvls");
  CHECK(chosen("64", by_hardware) == "scin");
  const settings of_two = {
      {"params.gpus", "2"}, {"workload.collective", "reduce_scatter"}, {"workload.bytes", "4 MiB"}};
  CHECK(chosen("4096", of_two) == "ring");
  CHECK(chosen("64", of_two) == "scin");
}

// By `direct`, whose messages wait for each other, the job takes twice as long.
TEST_CASE("auto counts the turns of ordered counters on few DMA channels") {
  const auto chosen = [](const char* channels) {
    return chosen_at_one_switch("9", {{"topology.link.latency", "3 us"},
                                      {"workload.protocol", "ordered"},
                                      {"workload.channels", channels},
                                      {"workload.bytes", "1 KiB"}});
  };
  CHECK(chosen("1") == "recursive_doubling");
  CHECK(chosen("4") == "direct");
}

// A ring in pieces of 64 B takes 4.3 ms, halving 36 us.
TEST_CASE("auto counts the pieces of a ring") {
  CHECK(chosen_at_one_switch("6", {{"workload.collective", "reduce_scatter"},
                                   {"workload.slot_bytes", "64 B"},
                                   {"workload.bytes", "384 KiB"}}) == "halving_doubling");
}
