// A torus and a butterfly of flit_switches against an established cycle-level network simulator:
// the curves are means of two runs of 30,000 cycles in which every measured packet was drained.
// Below 80 % of saturation latencies are compared. Beyond it the accepted load is, but for the
// torus: once a ring is full, what it accepts falls below its peak and depends on the length of the
// run and on the seed.
#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tests/fidelity/forked_runs.hpp"
#include "tests/fidelity/switched_system.hpp"

namespace {

using heddle::netlist_override;
using heddle::switched_system;
using heddle::traffic_figures;

struct reference_point {
  double rate = 0;
  traffic_figures figures;
  bool is_stable = false;
};

// The lines of a table that start with this, which ends in a comma.
std::vector<reference_point> read_curve(const std::string& path, const std::string& start) {
  std::ifstream file(path);
  std::vector<reference_point> curve;
  for (std::string line; std::getline(file, line);) {
    if (line.rfind(start, 0) != 0) continue;
    std::istringstream fields(line.substr(start.size()));
    reference_point& p = curve.emplace_back();
    char comma = 0;
    fields >> p.rate >> comma >> p.figures.latency >> comma >> p.figures.network_latency >> comma >>
        p.figures.min_network_latency >> comma >> p.figures.accepted >> comma >> p.is_stable;
    REQUIRE(fields);
  }
  return curve;
}

double saturation(const std::vector<reference_point>& curve) {
  double highest = 0;
  for (const reference_point& each : curve)
    if (each.is_stable) highest = std::max(highest, each.figures.accepted);
  return highest;
}

void compare_light_load(const std::vector<reference_point>& curve, switched_system system) {
  std::vector<switched_system> runs;
  std::vector<reference_point> points;
  for (const reference_point& each : curve) {
    if (each.rate >= 0.8 * saturation(curve)) continue;
    system.overrides.push_back({"params.rate", fmt::format("{}", each.rate)});
    runs.push_back(system);
    system.overrides.pop_back();
    points.push_back(each);
  }
  REQUIRE(points.size() >= 3);
  const auto measured = heddle::forked_runs(runs, heddle::run_switched);
  for (std::size_t i = 0; i < points.size(); ++i) {
    INFO("rate " << points[i].rate);
    CHECK(measured[i].min_network_latency == points[i].figures.min_network_latency);
    CHECK(measured[i].latency == Approx(points[i].figures.latency).epsilon(0.03));
    CHECK(measured[i].network_latency == Approx(points[i].figures.network_latency).epsilon(0.03));
  }
}

switched_system torus(int flits, int vcs, const std::string& pattern) {
  switched_system system;
  system.netlist = "torus_traffic.yaml";
  system.overrides = {{"params.packet_flits", std::to_string(flits)},
                      {"params.vcs", std::to_string(vcs)},
                      {"params.pattern", pattern}};
  system.window = {6'000, 30'000, 2'000};
  return system;
}

void compare_torus(int flits, int vcs, const std::string& pattern) {
  const auto curve =
      read_curve(HEDDLE_TORUS_REFERENCE, fmt::format("8,2,1,{},{},8,{},", flits, vcs, pattern));
  REQUIRE(curve.size() >= 8);
  compare_light_load(curve, torus(flits, vcs, pattern));
}

switched_system butterfly() {
  switched_system system;
  system.netlist = "butterfly_traffic.yaml";
  system.window = {6'000, 30'000, 2'000};
  return system;
}

}  // namespace

TEST_CASE("torus, packets of one flit, two VCs, uniform") {
  compare_torus(1, 2, "uniform");
}
TEST_CASE("torus, packets of four flits, four VCs, uniform") {
  compare_torus(4, 4, "uniform");
}
TEST_CASE("torus, packets of one flit, four VCs, tornado") {
  compare_torus(1, 4, "tornado");
}
TEST_CASE("torus, packets of four flits, four VCs, tornado") {
  compare_torus(4, 4, "tornado");
}

TEST_CASE("butterfly, uniform") {
  const auto curve = read_curve(HEDDLE_BUTTERFLY_REFERENCE, "1,4,8,");
  REQUIRE(curve.size() == 7);
  compare_light_load(curve, butterfly());
  std::vector<switched_system> runs;
  std::vector<double> accepted;
  for (const reference_point& each : curve) {
    if (each.is_stable) continue;
    runs.push_back(butterfly());
    runs.back().overrides.push_back({"params.rate", fmt::format("{}", each.rate)});
    runs.back().stops_early = true;
    accepted.push_back(each.figures.accepted);
  }
  const auto measured = heddle::forked_runs(runs, heddle::run_switched);
  for (std::size_t i = 0; i < runs.size(); ++i)
    CHECK(measured[i].accepted == Approx(accepted[i]).epsilon(0.05));
}

// The highest load of the curves at which queues stay bounded, and 5 % more than the lowest at
// which they do not.
TEST_CASE("a torus saturates where the reference does") {
  switched_system system = torus(4, 4, "uniform");
  system.stops_early = true;
  system.overrides.push_back({"params.rate", "0.52"});
  const auto below = heddle::forked_runs(std::vector{system}, heddle::run_switched).front();
  CHECK(below.accepted == Approx(0.52).epsilon(0.02));
  system.overrides.back().value = "0.605";
  const auto beyond = heddle::forked_runs(std::vector{system}, heddle::run_switched).front();
  CHECK(beyond.accepted < 0.59);
}

// Five cycles a switch, two for the first link and the last.
TEST_CASE("a packet alone in a torus takes the shorter way round, with channels of any length") {
  switched_system system = torus(1, 4, "neighbor");
  system.overrides.push_back({"params.rate", "0.001"});
  system.overrides.push_back({"params.channel", "4"});
  const auto figures = heddle::forked_runs(std::vector{system}, heddle::run_switched).front();
  CHECK(figures.min_network_latency == 5 * 3 + 2 + 2 * (4 - 1));
}
