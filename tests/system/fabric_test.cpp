// Fabrics of several switches: what is refused or not, and what a run tells of their links.
#include <catch2/catch.hpp>

#include "tests/support/heddle_run.hpp"

using namespace heddle;

namespace {

command_result check(const std::string& file, const settings& values = {}) {
  std::vector<std::string> words = {heddle_program(), "check", file};
  for (const auto& [path, value] : values) {
    words.emplace_back("--set");
    words.push_back(path + "=" + value);
  }
  return run({words, "", 60});
}

// Accelerators at a ring of switches, one each.
const std::string ring_of_eight = R"(
heddle: 1
name: ring
units:
  gpu: {array: 8, use: units/accelerator.yaml, number: "${i}", planes: 1}
  sw: {array: 8, type: switch, ports: 3}
links:
  - {for: {i: 8}, between: ["gpu[i].port[0]", "sw[i].port[0]"], bandwidth: 50 GB/s, latency: 100 ns}
  - {for: {i: 8}, between: ["sw[i].port[1]", "sw[(i + 1) % 8].port[2]"], bandwidth: 50 GB/s, latency: 100 ns, vcs: 4}
workload: {collective: allreduce, algorithm: direct, dtype: int32, bytes: 32 KiB}
)";

// Two accelerators behind two switches; `links` between these, each of that rate.
std::string pair_over(int links, const std::string& rate, const std::string& more = "") {
  return R"(
heddle: 1
name: pair
train: 8
units:
  gpu: {array: 2, use: units/accelerator.yaml, number: "${i}", planes: 1}
  sw: {array: 2, type: switch, ports: 4}
links:
  - {for: {i: 2}, between: ["gpu[i].port[0]", "sw[i].port[0]"], bandwidth: 100 GB/s, latency: 100 ns}
  - {for: {i: )" +
         std::to_string(links) +
         R"(}, between: ["sw[0].port[i + 1]", "sw[1].port[i + 1]"], bandwidth: )" + rate +
         R"(, latency: 100 ns}
workload: {collective: p2p_bandwidth, bytes: 4 MiB, iterations: 4}
)" + more;
}

double time_of(const heddle_run& run) {
  INFO(run.report());
  REQUIRE(run.is_verified());
  return run.stats()["collectives"][0]["time_s"].get<double>();
}

}  // namespace

TEST_CASE("a ring of eight switches is refused with its circle, and runs by other routes") {
  const scratch_folder folder;
  const std::string file = folder.write("ring.yaml", ring_of_eight);
  const command_result refused = check(file);
  CHECK(refused.exited_with(2));
  CHECK_THAT(refused.errors,
             Catch::Contains("ring.yaml:8:") && Catch::Contains("this network can deadlock") &&
                 Catch::Contains("sw[0].port[1] -> sw[1].port[1] -> sw[2].port[1]"));
  for (const char* routing : {"{policy: up_down}", "{policy: dimension_order, sides: [8]}"}) {
    const heddle_run run(file, {{"routing", routing}});
    INFO(run.report());
    CHECK(run.is_verified());
  }
}

TEST_CASE(
    "a key of the routing that is set for a run leaves the rest of what a topology suggests") {
  const auto routing_by = [](const settings& values) {
    settings all = values;
    all.emplace_back("workload.bytes", "1 KiB");
    const heddle_run run(project_file("yaml/torus.yaml"), all);
    INFO(run.report());
    CHECK(run.is_verified());
    const std::string config = run.folder().content("out/config.yaml");
    const std::size_t at = config.find("\nrouting:");
    return config.substr(at, config.find("\nworkload:") - at);
  };
  const std::string spread = routing_by({{"routing.spread", "flow"}});
  CHECK_THAT(spread, Catch::Contains("\"dimension_order\"") && Catch::Contains("sides:") &&
                         Catch::Contains("spread: \"flow\"  # --set routing.spread"));
  // Keys of another policy say nothing about this one, wherever in the line it is chosen.
  const std::string up_down =
      routing_by({{"routing.root", "switch[0][0]"}, {"routing.policy", "up_down"}});
  CHECK_THAT(up_down, Catch::Contains("\"up_down\"") && Catch::Contains("switch[0][0]") &&
                          !Catch::Contains("sides:"));
}

TEST_CASE("a routing where nothing is routed is refused at its place") {
  const heddle_run refused(project_file("yaml/mesh_traffic.yaml"), {{"routing.policy", "up_down"}});
  CHECK(refused.result().exited_with(2));
  CHECK_THAT(refused.result().errors,
             Catch::StartsWith("--set routing.policy: `routing` is about packets and switches of "
                               "flits, and this system has neither"));
}

TEST_CASE("two parallel links carry what one of their sum does, within 2 %") {
  const scratch_folder folder;
  const heddle_run one(folder.write("one.yaml", pair_over(1, "100 GB/s")), {});
  const heddle_run two(
      folder.write("two.yaml", pair_over(2, "50 GB/s", "routing: {spread: address}\n")), {});
  CHECK(time_of(one) > 0.98 * time_of(two));
  CHECK_THAT(two.folder().content("out/summary.txt"), !Catch::Contains("idled"));
}

TEST_CASE("a parallel link that idled is told") {
  const scratch_folder folder;
  const heddle_run run(folder.write("two.yaml", pair_over(2, "50 GB/s")), {});
  INFO(run.report());
  CHECK_THAT(run.folder().content("out/summary.txt"),
             Catch::Contains("1 of 2 parallel links from sw[0] to sw[1] idled: port["));
}

TEST_CASE(
    "buffers below bandwidth x round trip are a warning with the number, open ports a remark") {
  const scratch_folder folder;
  const std::string file = folder.write("one.yaml", pair_over(1, "100 GB/s"));
  const command_result fine = check(file);
  CHECK(fine.exited_with(0));
  CHECK(fine.errors.empty());
  CHECK_THAT(fine.output, Catch::Contains("sw[0] has open ports: port[2], port[3]"));
  const command_result tight = check(file, {{"links[0].buffer", "8 KiB"}});
  CHECK(tight.exited_with(0));
  CHECK_THAT(
      tight.errors,
      Catch::Contains("warning: the links from gpu[0].ni.port[0], gpu[1].ni.port[0] may not be "
                      "busy all the time: their receive buffers hold 8 KiB, and 30.42 KiB "
                      "would cover bandwidth x round trip\n"));
}

TEST_CASE("a deadlock that happens is told first, with its circle") {
  const scratch_folder folder;
  const std::string file = folder.write("ring.yaml", ring_of_eight);
  const heddle_run run(
      file,
      {{"routing", "{check: off}"}, {"workload.bytes", "1 MiB"}, {"links[1].buffer", "512 B"}});
  INFO(run.report());
  CHECK(run.result().exited_with(1));
  CHECK_THAT(run.folder().content("out/summary.txt"),
             Catch::StartsWith("failed: deadlock: packets fill the buffers behind these links, "
                               "each waits for the next: sw["));
}

TEST_CASE("parts that do not fit each other are refused at their place") {
  struct misfit {
    const char *netlist, *path, *value, *says;
  };
  const misfit each = GENERATE(
      misfit{"mesh_tiles", "tile[*].dma.cycle", "2 ns",
             "tile[0].dma: a cycle of 2 ns is not that of tile[0].ni, which is 1 ns"},
      misfit{"tree_allreduce", "root[*].aggregator.stride", "1 TiB",
             "aggregator: `stride` is not that of the other aggregators"},
      misfit{"tree_allreduce", "leaf[*].aggregator.flit", "4 KiB",
             "leaf[0].aggregator sends trains of 32 packets (131584 B) but the buffers"},
      misfit{"moe_small", "gpu[*].hub.mtu", "9 B",
             "gpu[0].hub: `mtu` (9 B) and `interleave` (4096 B) cut elements of 2 B"},
      misfit{"mesh_tiles", "tile[*].ni.store_energy", "-1", "store_energy is -1, outside"});
  const command_result seen =
      check(project_file(std::string("yaml/") + each.netlist + ".yaml"), {{each.path, each.value}});
  INFO(seen.errors);
  CHECK(seen.exited_with(2));
  CHECK_THAT(seen.errors, Catch::Contains(each.says));
}
