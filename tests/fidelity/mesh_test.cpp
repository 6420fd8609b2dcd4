// The mesh router against an established cycle-level network simulator, configured alike: 4x4 and
// 8x8 meshes, packets of 1 and 4 flits, 1 and 4 VCs. mesh_reference.csv holds its curves, from
// short runs of one seed. Below 80 % of saturation latencies are compared, beyond saturation the
// accepted load.
#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tests/fidelity/forked_runs.hpp"
#include "tests/fidelity/mesh_system.hpp"

namespace {

using heddle::mesh_configuration;
using heddle::mesh_result;

struct reference_point {
  mesh_configuration configuration;
  double latency = 0, network_latency = 0, accepted = 0, min_network_latency = 0;
  int is_stable = 0;
};

reference_point read_point(const std::string& line) {
  reference_point p;
  std::istringstream fields(line);
  char comma = 0;
  mesh_configuration& c = p.configuration;
  std::string pattern;
  fields >> c.size >> comma >> c.packet_flits >> comma >> c.vcs >> comma >> c.buffer >> comma;
  std::getline(fields, pattern, ',');
  fields >> c.rate >> comma >> p.latency >> comma >> p.network_latency >> comma >> p.accepted >>
      comma >> p.is_stable >> comma >> p.min_network_latency;
  REQUIRE(fields);
  REQUIRE(pattern.size() < sizeof c.pattern);
  std::copy_n(pattern.c_str(), pattern.size() + 1, c.pattern);
  return p;
}

std::vector<reference_point> read_curve(int size, int flits, int vcs, const std::string& pattern) {
  std::ifstream file(HEDDLE_MESH_REFERENCE);
  std::string line;
  std::getline(file, line);  // names of the columns
  std::vector<reference_point> curve;
  while (std::getline(file, line)) {
    const reference_point p = read_point(line);
    const mesh_configuration& c = p.configuration;
    if (c.size == size && c.packet_flits == flits && c.vcs == vcs && c.pattern == pattern)
      curve.push_back(p);
  }
  return curve;
}

// The highest load that all nodes get through. Beyond it a mesh may still accept more in total,
// where some nodes do not meet the congestion of others (`transpose`).
double saturation(const std::vector<reference_point>& curve) {
  double highest = 0;
  for (const auto& point : curve)
    if (point.is_stable) highest = std::max(highest, point.accepted);
  return highest;
}

mesh_result simulate(const mesh_configuration& c) {
  return heddle::run_mesh(c, false);
}
mesh_result simulate_saturated(const mesh_configuration& c) {
  return heddle::run_mesh(c, true);
}

void compare_light_load(const std::vector<reference_point>& points) {
  std::vector<mesh_configuration> runs;
  for (const reference_point& each : points) {
    runs.push_back(each.configuration);
    // As many packets at low loads as at high ones: the mean follows from who sends how far.
    const double packets_per_cycle = each.configuration.rate / each.configuration.packet_flits *
                                     each.configuration.size * each.configuration.size;
    runs.back().window.measure = static_cast<std::uint64_t>(60'000 / packets_per_cycle) + 1000;
  }
  const auto measured = heddle::forked_runs(runs, simulate);
  for (std::size_t i = 0; i < points.size(); ++i) {
    INFO("rate " << runs[i].rate);
    CHECK(measured[i].min_network_latency == points[i].min_network_latency);
    CHECK(measured[i].latency == Approx(points[i].latency).epsilon(0.03));
    CHECK(measured[i].network_latency == Approx(points[i].network_latency).epsilon(0.03));
  }
}

void compare_saturation(const std::vector<reference_point>& points) {
  std::vector<mesh_configuration> runs;
  for (const reference_point& each : points) runs.push_back(each.configuration);
  const auto measured = heddle::forked_runs(runs, simulate_saturated);
  for (std::size_t i = 0; i < points.size(); ++i) {
    INFO("rate " << runs[i].rate);
    CHECK(measured[i].accepted == Approx(points[i].accepted).epsilon(0.05));
  }
}

void compare_curve(int size, const std::string& pattern) {
  for (const int flits : {1, 4})
    for (const int vcs : {1, 4}) {
      INFO(size << "x" << size << ", " << flits << " flits, " << vcs << " VCs, " << pattern);
      const auto curve = read_curve(size, flits, vcs, pattern);
      REQUIRE(curve.size() >= 10);
      const double highest = saturation(curve);
      std::vector<reference_point> light, heavy;
      for (const reference_point& p : curve) {
        if (p.configuration.rate < 0.8 * highest) light.push_back(p);
        if (p.configuration.rate >= highest) heavy.push_back(p);
      }
      REQUIRE_FALSE(light.empty());
      compare_light_load(light);
      compare_saturation(heavy);
    }
}

}  // namespace

TEST_CASE("4x4 mesh, uniform") {
  compare_curve(4, "uniform");
}
TEST_CASE("4x4 mesh, transpose") {
  compare_curve(4, "transpose");
}
TEST_CASE("4x4 mesh, neighbor") {
  compare_curve(4, "neighbor");
}
TEST_CASE("8x8 mesh, uniform") {
  compare_curve(8, "uniform");
}
TEST_CASE("8x8 mesh, transpose") {
  compare_curve(8, "transpose");
}
TEST_CASE("8x8 mesh, neighbor") {
  compare_curve(8, "neighbor");
}
