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

void check(const std::string& what, const settings& values, const std::string& netlist = ring,
           const char* train = "32") {
  const nlohmann::json exact = collectives(netlist, values, "1");
  const nlohmann::json fast = collectives(netlist, values, train);
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
  std::printf("%s: worst error of train %s is %+.3f %%, at %llu B\n", what.c_str(), train,
              100 * worst, static_cast<unsigned long long>(worst_bytes));
}

// Of every link: its ends, packets, wire bytes and payload bytes. The barrier comes late: until
// then the last answers of the collective have crossed, too.
std::vector<std::string> loads_of_links(const std::string& netlist, const std::string& collective,
                                        const std::string& train, settings values = {}) {
  const std::string workloads =
      "[{" + collective +
      ", explain: off}, {collective: barrier, algorithm: ring, explain: off, start: 1 ms}]";
  values.insert(values.end(), {{"train", train}, {"data", "off"}, {"workload", workloads}});
  const heddle_run run(netlist, values);
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

// Bursts of 1 KiB in packets that could hold two of them; blocks of planes may end inside of one.
TEST_CASE("bursts that join into a train keep their packets") {
  const std::string interleave = GENERATE("4 KiB", "1536 B");
  const settings values = {{"gpu[*].ni.mtu", "2 KiB"},
                           {"gpu[*].dma.burst", "1 KiB"},
                           {"gpu[*].ni.interleave", interleave}};
  const std::string what = "collective: allreduce, algorithm: ring, bytes: [5360 B, 256 KiB]";
  const std::vector<std::string> packets = loads_of_links(ring, what, "1", values);
  for (const char* train : {"2", "32"}) {
    CAPTURE(train);
    CHECK(loads_of_links(ring, what, train, values) == packets);
  }
}

// Flits have 16 B: of the packets of bursts and loads, or of those of `mtu`, each is padded.
TEST_CASE("packets that are no whole flits weigh the same in a train") {
  const auto [burst, mtu, load] = GENERATE(table<std::string, std::string, std::string>(
      {{"64 B", "100 B", "8 B"}, {"100 B", "128 B", "100 B"}}));
  const settings of_bursts = {{"gpu[*].dma.burst", burst}, {"gpu[*].ni.mtu", mtu}};
  const settings of_loads = {{"gpu[*].multimem.packet", load}};
  const std::string sizes = ", bytes: [144 B, 40464 B]";
  const std::string by_bursts = "collective: allreduce, algorithm: ring" + sizes;
  const std::string by_loads = "collective: allreduce, algorithm: nvls" + sizes;
  CAPTURE(burst, load);
  CHECK(loads_of_links(ring, by_bursts, "32", of_bursts) ==
        loads_of_links(ring, by_bursts, "1", of_bursts));
  CHECK(loads_of_links(nvls, by_loads, "32", of_loads) ==
        loads_of_links(nvls, by_loads, "1", of_loads));
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

// A ring in one piece: the counter of a chunk is written when its last acknowledgment is back, and
// waits behind the next chunk where that has begun before. At 1 GB/s this takes 60 % more time, and
// the two are as little as 0.1 us apart.
TEST_CASE("trains keep the order of a counter and the next chunk") {
  for (const char* latency : {"100 ns", "300 ns", "1 us"})
    check("ring over two tiers of slow links of " + std::string(latency),
          {{"params.leaves", "2"},
           {"params.hosts", "2"},
           {"links[0].bandwidth", "1 GB/s"},
           {"links[1].bandwidth", "1 GB/s"},
           {"links[0].latency", latency},
           {"links[1].latency", latency},
           {"workload.algorithm", "ring"},
           {"workload.pieces", "1"},
           {"workload.bytes", "64 KiB"}},
          project_file("yaml/tree_allreduce.yaml"), "8");
}

// A train takes and gives room in a small buffer packet by packet. Of 4 KiB, trains of 8 are a
// third: in the ring a counter and the next chunk then change places, and it takes 8 % less.
TEST_CASE("trains are as fast as packets through small buffers") {
  for (const char* algorithm : {"ring", "direct"})
    check(std::string(algorithm) + " all-reduce of 8 through buffers of 4 KiB",
          {{"workload.algorithm", algorithm},
           {"workload.bytes", "1 MiB"},
           {"links[0].buffer", "4 KiB"}},
          ring, "4");
  check("NVLS through buffers of 8 KiB",
        {{"workload.bytes", "1 MiB"}, {"links[0].buffer", "8 KiB"}}, nvls);
  check(
      "SCIN through buffers of 16 KiB",
      {{"workload.algorithm", "scin"}, {"workload.bytes", "1 MiB"}, {"links[0].buffer", "16 KiB"}},
      project_file("yaml/scin_dgx8.yaml"));
}

// Credits of several trains are on their way back at once, each packet by packet.
TEST_CASE("trains of others that leave a switch at once do not keep a train from starting") {
  const heddle_run run(project_file("yaml/contention.yaml"), {{"train", "64"}, {"data", "off"}});
  INFO(run.report());
  CHECK(run.result().exited_with(0));
}

// The packets of a block that is longer than the queue of a port hold up those for other ports.
TEST_CASE("trains wait for the queue of a port as packets do") {
  check("ring all-reduce of 8 in blocks of 16 KiB",
        {{"workload.bytes", "2 MiB"}, {"gpu[*].ni.interleave", "16 KiB"}}, ring, "8");
  check("ring all-reduce of 8 with queues of 8 packets",
        {{"workload.bytes", "1 MiB"}, {"gpu[*].ni.queue", "8"}}, ring, "8");
}

// Packets of 64 KiB go up to a switch that adds, and what comes down is acknowledged.
// Acknowledgements leave between single packets, but wait for the end of a train.
TEST_CASE("acknowledgements do not hold up requests") {
  const settings values = {
      {"params.ranks", "2"}, {"workload.algorithm", "tree"}, {"workload.bytes", "4 MB"}};
  for (const char* train : {"2", "32"})
    check("all-reduce of 2 in the switch", values, project_file("yaml/ladder_inc.yaml"), train);
}

// The window holds 32 trains.
TEST_CASE("trains that are short against a window of outstanding packets are as fast as packets") {
  check("direct all-reduce of 8 with 256 packets outstanding",
        {{"workload.algorithm", "direct"},
         {"workload.bytes", "1 MiB"},
         {"gpu[*].ni.outstanding", "256"}},
        ring, "8");
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
