// The ceilings of collectives: what the wires allow, by what an algorithm puts on them. The oracle
// is what the links of a run have carried.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <sstream>
#include <string>
#include <utility>

#include "tests/support/heddle_run.hpp"

using namespace heddle;

namespace {

// Seconds of the busiest direction of the links that end at a network interface.
double busiest_seconds(const heddle_run& run) {
  std::map<std::pair<std::string, bool>, std::pair<double, double>> ends;  // bytes, bytes a second
  std::istringstream lines(run.folder().content("out/links.csv"));
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    std::istringstream cells(line);
    std::string from, to, bandwidth, skipped, wire_bytes;
    std::getline(cells, from, ',');
    std::getline(cells, to, ',');
    std::getline(cells, bandwidth, ',');
    std::getline(cells, skipped, ',');
    std::getline(cells, skipped, ',');
    std::getline(cells, wire_bytes, ',');
    for (const auto& [end, goes_out] : {std::pair(from, true), std::pair(to, false)}) {
      const std::size_t interface = end.find(".ni.port");
      if (interface == std::string::npos) continue;
      auto& [bytes, rate] = ends[{end.substr(0, interface), goes_out}];
      bytes += std::stod(wire_bytes);
      rate += std::stod(bandwidth);
    }
  }
  double longest = 0;
  for (const auto& [end, carried] : ends)
    longest = std::max(longest, carried.first / carried.second);
  return longest;
}

heddle_run collective_of(const std::string& file, settings values) {
  values.insert(values.end(), {{"workload.bytes", "3840 KiB"},  // a multiple of 2 to 8 ranks
                               {"workload.explain", "off"},
                               {"data", "off"}});
  return heddle_run(project_file(file), values);
}

// A ceiling is what the wires would have allowed had they carried nothing else; of what algorithms
// do not count, flags and a few responses, there is little.
void check_ceiling(const heddle_run& run, double uncounted = 0.01) {
  INFO(run.report());
  REQUIRE(run.result().exited_with(0));
  const nlohmann::json job = run.stats()["collectives"].at(0);
  const double allowed = job["bytes"].get<double>() / busiest_seconds(run);
  const double ceiling = job["ceiling_Bps"];
  CHECK(ceiling > 0.999 * allowed);
  CHECK(ceiling < (1 + uncounted) * allowed);
  CHECK(job["algbw_Bps"].get<double>() < ceiling);
}

// As it is told, with a netlist of its own.
nlohmann::json jobs_of(const std::string& netlist, const settings& values) {
  const scratch_folder folder;
  const std::string file = folder.write("netlist.yaml", netlist);
  const heddle_run run(file, values);
  INFO(run.report());
  REQUIRE(run.result().exited_with(0));
  return run.stats()["collectives"];
}

void check_share(const nlohmann::json& job, double least) {
  const double share = job["algbw_Bps"].get<double>() / job["ceiling_Bps"].get<double>();
  INFO(job.dump());
  CHECK(share > least);
  CHECK(share < 1);
}

void check_share(const heddle_run& run, double least) {
  INFO(run.report());
  REQUIRE(run.result().exited_with(0));
  check_share(run.stats()["collectives"].at(0), least);
}

}  // namespace

TEST_CASE("ceilings of software are what the links carry") {
  const struct {
    const char* collective;
    std::vector<const char*> algorithms;
  } cases[] = {
      {"allreduce", {"ring", "direct", "halving_doubling", "recursive_doubling", "double_tree"}},
      {"reduce_scatter", {"ring", "halving_doubling"}},
      {"allgather", {"ring", "halving_doubling", "recursive_doubling"}},
      {"broadcast", {"ring", "double_tree"}},
      {"reduce", {"ring", "double_tree"}},
      {"alltoall", {"direct", "pairwise"}},
  };
  const std::string gpus = GENERATE("2", "3", "5", "6", "8");
  for (const auto& each : cases)
    for (const char* algorithm : each.algorithms)
      check_ceiling(
          collective_of("yaml/ring_allreduce.yaml", {{"params.gpus", gpus},
                                                     {"workload.collective", each.collective},
                                                     {"workload.algorithm", algorithm}}));
}

TEST_CASE("ceilings of hardware are what the links carry") {
  const struct {
    const char *file, *algorithm;
    std::vector<const char*> collectives;
  } cases[] = {
      {"yaml/scin_dgx8.yaml",
       "scin",
       {"allreduce", "reduce_scatter", "allgather", "broadcast", "reduce"}},
      {"yaml/nvls_dgx8.yaml", "nvls", {"allreduce", "reduce_scatter", "allgather"}},
  };
  for (const auto& each : cases)
    for (const char* collective : each.collectives)
      check_ceiling(collective_of(each.file, {{"workload.collective", collective},
                                              {"workload.algorithm", each.algorithm}}),
                    0.02);
}

TEST_CASE("the ceiling of point-to-point tests is that of a direction") {
  check_ceiling(collective_of("yaml/ring_allreduce.yaml",
                              {{"workload.collective", "p2p_bandwidth"}, {"params.gpus", "2"}}));
}

TEST_CASE("a pass between two ranks has a direction of the wires for itself") {
  for (const char* collective : {"broadcast", "reduce"}) {
    const heddle_run run(project_file("yaml/ring_allreduce.yaml"),
                         {{"params.gpus", "2"},
                          {"workload.collective", collective},
                          {"workload.algorithm", "ring"},
                          {"workload.bytes", "64 MiB"},
                          {"data", "off"}});
    check_share(run, 0.9);
  }
}

TEST_CASE("links of others are no bound") {
  const std::string netlist = R"(heddle: 1
name: clusters
train: 32
units:
  big: {array: 4, index: g, use: units/accelerator.yaml, number: "${g}", planes: 1}
  small: {array: 4, index: g, use: units/accelerator.yaml, number: "${4 + g}", planes: 1}
  bsw: {type: switch, ports: 5}
  ssw: {type: switch, ports: 5}
links:
  - {for: {g: 4}, between: ["big[g].port[0]", "bsw.port[g]"], bandwidth: 100 GB/s, latency: 300 ns, buffer: 512 KiB}
  - {for: {g: 4}, between: ["small[g].port[0]", "ssw.port[g]"], bandwidth: 25 GB/s, latency: 300 ns, buffer: 512 KiB}
  - {between: ["bsw.port[4]", "ssw.port[4]"], bandwidth: 25 GB/s, latency: 1 us}
workload:
  - {name: fast, collective: allreduce, algorithm: ring, dtype: fp32, bytes: 4 MiB, ranks: "big*"}
  - {name: slow, collective: allreduce, algorithm: ring, dtype: fp32, bytes: 4 MiB, ranks: "small*"}
)";
  for (const nlohmann::json& each : jobs_of(netlist, {})) check_share(each, 0.7);
}

TEST_CASE("a slow rank bounds what it takes part in, by its part") {
  const std::string netlist = R"(heddle: 1
name: unequal
params: {slow: 0}
train: 32
data: off
units:
  gpu: {array: 4, index: g, use: units/accelerator.yaml, number: "${g}", planes: 1}
  sw: {type: switch, ports: 4}
links:
  - {for: {g: 4}, between: ["gpu[g].port[0]", "sw.port[g]"], bandwidth: "${g == slow ? 25 : 100} GB/s", latency: 300 ns, buffer: 512 KiB}
workload: {collective: broadcast, algorithm: ring, dtype: fp32, bytes: 16 MiB}
)";
  const std::string collective = GENERATE("broadcast", "reduce", "allreduce");
  for (const char* algorithm : {"ring", "double_tree"})
    for (const char* slow : {"0", "1", "3"})
      check_share(jobs_of(netlist, {{"params.slow", slow},
                                    {"workload.collective", collective},
                                    {"workload.algorithm", algorithm}})
                      .at(0),
                  0.2);
  check_share(jobs_of(netlist, {{"params.slow", "3"}, {"workload.ranks", "gpu[0..2]"}}).at(0), 0.8);
}

TEST_CASE("packets of others are no bound, those of devices in the network are") {
  const std::string netlist = R"(heddle: 1
name: pairs
train: 32
routing: {check: off}
units:
  big: {array: 2, index: g, use: units/accelerator.yaml, number: "${g}", planes: 1, mtu: 4096 B}
  small: {array: 2, index: g, use: units/accelerator.yaml, number: "${4 + g}", planes: 1, mtu: 128 B}
  bsw: {type: switch, ports: 2}
  ssw: {type: switch, ports: 2}
links:
  - {for: {g: 2}, between: ["big[g].port[0]", "bsw.port[g]"], bandwidth: 50 GB/s, latency: 300 ns, buffer: 1 MiB}
  - {for: {g: 2}, between: ["small[g].port[0]", "ssw.port[g]"], bandwidth: 50 GB/s, latency: 300 ns, buffer: 1 MiB}
workload:
  - {name: a, collective: allreduce, algorithm: ring, dtype: fp32, bytes: 16 MiB, ranks: "big*"}
  - {name: b, collective: allreduce, algorithm: ring, dtype: fp32, bytes: 16 MiB, ranks: "small*"}
)";
  for (const nlohmann::json& each : jobs_of(netlist, {{"data", "off"}})) check_share(each, 0.9);
  const heddle_run run(project_file("yaml/scin_dgx8.yaml"), {{"workload.algorithm", "scin"},
                                                             {"workload.bytes", "64 MiB"},
                                                             {"nvs[*].isa.mtu", "1024 B"},
                                                             {"data", "off"}});
  check_share(run, 0.8);
}
