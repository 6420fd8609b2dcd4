// A train of 32 packets is an approximation of 32 packets: within 3 % of the collective time, and
// the same packets and bytes on every link.
#include <catch2/catch.hpp>

#include <cmath>
#include <cstdio>
#include <sstream>

#include "tests/support/heddle_run.hpp"

using namespace heddle;

namespace {

const std::string ring = project_file("yaml/ring_allreduce.yaml");
const std::string nvls = project_file("yaml/nvls_dgx8.yaml");
constexpr double bound = 0.03;

nlohmann::json collectives(const std::string& netlist, const settings& values, const char* train) {
  settings all = values;
  all.emplace_back("train", train);
  all.emplace_back("data", "off");
  const heddle_run run(netlist, all);
  INFO(run.report());
  REQUIRE(run.result().exited_with(0));
  return run.stats()["collectives"];
}

void check(const std::string& what, const settings& values, const std::string& netlist = ring) {
  const nlohmann::json exact = collectives(netlist, values, "1");
  const nlohmann::json fast = collectives(netlist, values, "32");
  REQUIRE(exact.size() == fast.size());
  double worst = 0;
  std::uint64_t worst_bytes = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    const double error = fast[i]["time_s"].get<double>() / exact[i]["time_s"].get<double>() - 1;
    const auto bytes = exact[i]["bytes"].get<std::uint64_t>();
    INFO(what << ", " << bytes << " B: " << 100 * error << " %");
    CHECK(std::abs(error) <= bound);
    if (std::abs(error) <= std::abs(worst)) continue;
    worst = error;
    worst_bytes = bytes;
  }
  std::printf("%s: worst error of train 32 is %+.3f %%, at %llu B\n", what.c_str(), 100 * worst,
              static_cast<unsigned long long>(worst_bytes));
}

// Of every link: its ends, packets, wire bytes and payload bytes. The barrier comes late: until
// then the last answers of the collective have crossed, too.
std::vector<std::string> loads_of_links(const std::string& netlist, const std::string& collective,
                                        const std::string& train) {
  const std::string workloads =
      "[{" + collective +
      ", explain: off}, {collective: barrier, algorithm: ring, explain: off, start: 1 ms}]";
  const heddle_run run(netlist, {{"train", train}, {"data", "off"}, {"workload", workloads}});
  INFO(run.report());
  REQUIRE(run.result().exited_with(0));
  std::istringstream lines(run.folder().content("out/links.csv"));
  std::vector<std::string> loads;
  for (std::string line; std::getline(lines, line);) {
    std::vector<std::string> cells;
    std::istringstream row(line);
    for (std::string cell; std::getline(row, cell, ',');) cells.push_back(cell);
    REQUIRE(cells.size() > 6);
    loads.push_back(cells[0] + " to " + cells[1] + ": " + cells[4] + " " + cells[5] + " " +
                    cells[6]);
  }
  REQUIRE(loads.front() == "from to to: packets wire_bytes payload_bytes");
  return loads;
}

}  // namespace

// Chunks of 18 B to 5 KiB, of which most begin and end inside packets.
TEST_CASE("a train does not change what crosses the wire") {
  const auto [netlist, algorithm] =
      GENERATE(table<std::string, std::string>({{nvls, "nvls"}, {ring, "ring"}}));
  for (const char* collective : {"allreduce", "reduce_scatter", "allgather"}) {
    const std::string what = std::string("collective: ") + collective +
                             ", algorithm: " + algorithm +
                             ", bytes: [144 B, 1792 B, 5360 B, 12032 B, 40464 B]";
    const std::vector<std::string> packets = loads_of_links(netlist, what, "1");
    for (const char* train : {"2", "4", "32"}) {
      CAPTURE(algorithm, collective, train);
      CHECK(loads_of_links(netlist, what, train) == packets);
    }
  }
}

TEST_CASE("trains are within 3 % of packets, 1 KiB to 4 MiB") {
  check("ring all-reduce of 8", {{"workload.bytes", "{from: 1 KiB, to: 4 MiB}"}});
}

TEST_CASE("trains are within 3 % of packets for the other algorithms") {
  for (const char* algorithm : {"direct", "halving_doubling"})
    check(std::string(algorithm) + " all-reduce of 8",
          {{"workload.algorithm", algorithm}, {"workload.bytes", "{from: 1 KiB, to: 1 MiB}"}});
}

TEST_CASE("trains are within 3 % of packets in the network") {
  for (const char* collective : {"allreduce", "reduce_scatter", "allgather"})
    check(std::string("NVLS ") + collective + " of 8",
          {{"workload.collective", collective}, {"workload.bytes", "{from: 1 KiB, to: 4 MiB}"}},
          nvls);
}

// Packets as large as bursts, and a memory whose latency the read-ahead does not hide.
TEST_CASE("trains hide no more of the memory's latency than packets do") {
  check("direct all-reduce in bursts of 64 B", {{"workload.algorithm", "direct"},
                                                {"workload.bytes", "256 KiB"},
                                                {"gpu[*].dma.burst", "64 B"}});
  check("direct all-reduce far from memory", {{"workload.algorithm", "direct"},
                                              {"workload.bytes", "2 MiB"},
                                              {"params.planes", "1"},
                                              {"gpu[*].ni.mtu", "2 KiB"},
                                              {"gpu[*].dma.burst", "2 KiB"},
                                              {"gpu[*].memory.latency", "1 us"}});
}

TEST_CASE("trains are within 3 % of packets, 64 MiB", "[.][long]") {
  check("ring all-reduce of 8", {{"workload.bytes", "64 MiB"}});
}
