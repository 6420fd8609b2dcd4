// Collectives on tori: both ways round each ring carry the same, and rings that are full of an
// all-to-all go on with buffers of one packet.
#include <catch2/catch.hpp>
#include <map>
#include <sstream>

#include "tests/support/heddle_run.hpp"

using namespace heddle;

namespace {

const std::string netlist = project_file("yaml/ladder_torus.yaml");
constexpr int packet = 64 * 1024;  // payload of the longest

settings on_torus(const std::vector<int>& sides, settings values) {
  const char* const names[] = {"params.x", "params.y", "params.z"};
  for (std::size_t i = 0; i < sides.size(); ++i)
    values.emplace_back(names[i], std::to_string(sides[i]));
  values.emplace_back("data", "on");
  values.emplace_back("workload.dtype", "int32");
  return values;
}

// "switch[1][0][2].port[3]" -> {1, 0, 2}; empty for others.
std::vector<int> point_of(const std::string& port) {
  std::vector<int> point;
  if (port.rfind("switch[", 0) != 0) return point;
  const std::size_t end = port.find('.');
  for (std::size_t at = port.find('['); at < end; at = port.find('[', at + 1))
    point.push_back(std::stoi(port.substr(at + 1)));
  return point;
}

struct ways_round {
  std::int64_t up = 0, down = 0;  // payload
};

// By ring: its dimension, and the coordinates of its first switch.
std::map<std::vector<int>, ways_round> payload_of_rings(const heddle_run& run,
                                                        const std::vector<int>& sides) {
  std::map<std::vector<int>, ways_round> rings;
  std::istringstream lines(run.folder().content("out/links.csv"));
  std::string line;
  for (std::getline(lines, line); std::getline(lines, line);) {
    std::istringstream cells(line);
    std::string from, to, cell;
    std::getline(cells, from, ',');
    std::getline(cells, to, ',');
    for (int skipped = 0; skipped < 5; ++skipped) std::getline(cells, cell, ',');
    std::vector<int> ring = point_of(from);
    const std::vector<int> next = point_of(to);
    if (ring.empty() || next.empty()) continue;
    std::size_t along = 0;
    while (ring[along] == next[along]) ++along;
    const bool is_up = (ring[along] + 1) % sides[along] == next[along];
    ring[along] = 0;
    ring.push_back(static_cast<int>(along));
    (is_up ? rings[ring].up : rings[ring].down) += std::stoll(cell);
  }
  return rings;
}

}  // namespace

TEST_CASE("both ways round a ring carry the same, also to ranks half a ring away") {
  for (const std::vector<int>& sides : {std::vector<int>{4, 4, 4}, {6, 2, 3}, {1, 1, 8}}) {
    const int ranks = sides[0] * sides[1] * sides[2];
    const heddle_run run(
        netlist, on_torus(sides, {{"workload.collective", "alltoall"},
                                  {"workload.algorithm", "direct"},
                                  {"workload.bytes", std::to_string(ranks * 4096) + " B"}}));
    INFO(run.report());
    REQUIRE(run.is_verified());
    const auto rings = payload_of_rings(run, sides);
    REQUIRE(!rings.empty());
    for (const auto& [ring, carried] : rings) {
      if (sides[static_cast<std::size_t>(ring.back())] == 2) continue;  // one link both ways
      CAPTURE(ring, carried.up, carried.down);
      CHECK(carried.up > 0);
      CHECK(std::abs(carried.up - carried.down) <= 4096);
    }
  }
}

TEST_CASE("an all-to-all fills all rings of a torus with buffers of one packet, and ends") {
  constexpr int header = 1, word = 16;  // that goes with the data
  for (const std::vector<int>& sides : {std::vector<int>{1, 1, 8}, {5, 5, 1}, {2, 2, 2}}) {
    const int ranks = sides[0] * sides[1] * sides[2];
    const heddle_run run(
        netlist, on_torus(sides, {{"workload.collective", "alltoall"},
                                  {"workload.algorithm", "direct"},
                                  {"topology.neighbor_link.buffer",
                                   std::to_string(packet + header + word) + " B"},
                                  {"train", "1"},
                                  {"workload.bytes", std::to_string(ranks * 2 * packet) + " B"}}));
    INFO(run.report());
    CHECK(run.is_verified());
  }
}

TEST_CASE("rings of tori with sides of one, two and odd ones leave exact data") {
  for (const std::vector<int>& sides : {std::vector<int>{2, 2, 2}, {1, 1, 7}, {3, 5, 2}})
    for (const char* collective : {"allreduce", "allgather", "reduce_scatter", "broadcast"}) {
      const heddle_run run(netlist, on_torus(sides, {{"workload.collective", collective},
                                                     {"workload.algorithm", "torus"},
                                                     {"workload.bytes", "[4 B, 100000 B]"}}));
      INFO(run.report());
      CHECK(run.is_verified());
    }
}

// A core that waited for one stripe before it sent for the next would take four times as long.
TEST_CASE("stripes are on their way at the same time when a core does the steps") {
  const auto time = [](const char* stripes) {
    const heddle_run run(project_file("yaml/torus.yaml"), {{"workload.algorithm", "torus"},
                                                           {"workload.sides", "[4, 4]"},
                                                           {"workload.stripes", stripes},
                                                           {"workload.bytes", "64 KiB"},
                                                           {"workload.dtype", "int32"},
                                                           {"workload.explain", "off"}});
    INFO(run.report());
    REQUIRE(run.is_verified());
    return run.stats()["collectives"][0]["time_s"].get<double>();
  };
  const double one = time("1");
  CHECK(time("2") < 1.25 * one);
  CHECK(time("4") < 1.6 * one);
}

TEST_CASE("a torus of one rank has nothing to do, at no rate") {
  const char* const collective = GENERATE("allreduce", "reduce_scatter", "allgather", "broadcast");
  const heddle_run run(project_file("yaml/torus.yaml"), {{"params.x", "1"},
                                                         {"params.y", "1"},
                                                         {"workload.collective", collective},
                                                         {"workload.algorithm", "[torus, ring]"},
                                                         {"workload.sides", "[1, 1]"},
                                                         {"workload.bytes", "4 KiB"}});
  INFO(run.report());
  REQUIRE(run.is_verified());
  for (const auto& each : run.stats()["collectives"]) CHECK(each["time_s"] == 0);
  const std::string summary = run.folder().content("out/summary.txt");
  CHECK(summary.find("B/s") == std::string::npos);
}
