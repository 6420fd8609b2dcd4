// The flit_switch against an established cycle-level network simulator: one switch, 8 nodes.
//
// star_reference.csv holds the reference's curves: means of four runs of 400,000 cycles or more, in
// which every measured packet was drained. Below 80 % of saturation latencies are compared, beyond
// it the accepted load. The smallest latency at a load is that of a packet which met no other.
#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <sstream>

#include "tests/fidelity/forked_runs.hpp"
#include "tests/fidelity/star_system.hpp"

namespace {

using heddle::star_configuration;
using heddle::star_result;

struct reference_point {
  star_configuration configuration;
  double latency = 0, network_latency = 0, min_network_latency = 0, accepted = 0;
  int is_stable = 0;
};

reference_point read_point(const std::string& line) {
  reference_point p;
  std::istringstream fields(line);
  char comma = 0;
  fields >> p.configuration.channel_latency >> comma >> p.configuration.buffer_flits >> comma;
  std::getline(fields, p.configuration.pattern, ',');
  fields >> p.configuration.rate >> comma >> p.latency >> comma >> p.network_latency >> comma >>
      p.min_network_latency >> comma >> p.accepted >> comma >> p.is_stable;
  REQUIRE(fields);
  return p;
}

std::vector<reference_point> read_curve(int channel_latency, const std::string& pattern) {
  std::ifstream file(HEDDLE_STAR_REFERENCE);
  std::string line;
  std::getline(file, line);  // names of the columns
  std::vector<reference_point> curve;
  while (std::getline(file, line)) {
    const reference_point p = read_point(line);
    if (p.configuration.channel_latency == channel_latency && p.configuration.pattern == pattern)
      curve.push_back(p);
  }
  return curve;
}

double saturation(const std::vector<reference_point>& curve) {
  double highest = 0;
  for (const auto& point : curve)
    if (point.is_stable) highest = std::max(highest, point.accepted);
  return highest;
}

star_result simulate(const star_configuration& c) {
  return run_star(c, false);
}
star_result simulate_saturated(const star_configuration& c) {
  return run_star(c, true);
}

void compare_curve(int channel_latency, const std::string& pattern) {
  const auto curve = read_curve(channel_latency, pattern);
  REQUIRE(curve.size() > 10);
  const double highest = saturation(curve);
  std::vector<reference_point> light, heavy;
  std::vector<star_configuration> light_runs, heavy_runs;
  for (reference_point p : curve) {
    if (p.configuration.rate < 0.8 * highest) {
      p.configuration.window.measure = 1'000'000;
      light.push_back(p);
      light_runs.push_back(p.configuration);
    } else if (!p.is_stable) {
      p.configuration.window = {20'000, 100'000, 0};
      heavy.push_back(p);
      heavy_runs.push_back(p.configuration);
    }
  }

  const auto measured = heddle::forked_runs(light_runs, simulate);
  for (std::size_t i = 0; i < light.size(); ++i) {
    INFO("rate " << light[i].configuration.rate);
    CHECK(measured[i].min_network_latency == light[i].min_network_latency);
    CHECK(measured[i].latency == Approx(light[i].latency).epsilon(0.03));
    CHECK(measured[i].network_latency == Approx(light[i].network_latency).epsilon(0.03));
  }
  const auto saturated = heddle::forked_runs(heavy_runs, simulate_saturated);
  for (std::size_t i = 0; i < heavy.size(); ++i) {
    INFO("rate " << heavy[i].configuration.rate);
    CHECK(saturated[i].accepted == Approx(heavy[i].accepted).epsilon(0.05));
  }
}

}  // namespace

TEST_CASE("star, latency 1, uniform") {
  compare_curve(1, "uniform");
}
TEST_CASE("star, latency 1, all2one") {
  compare_curve(1, "all2one");
}
TEST_CASE("star, latency 1, ring") {
  compare_curve(1, "ring");
}
TEST_CASE("star, latency 250, uniform") {
  compare_curve(250, "uniform");
}
TEST_CASE("star, latency 250, all2one") {
  compare_curve(250, "all2one");
}
TEST_CASE("star, latency 250, ring") {
  compare_curve(250, "ring");
}

// Nobody competes for an output: the source is a queue of its own, which is served a packet in
// as many cycles as it has flits.
TEST_CASE("a ring waits as its sources do") {
  star_configuration c;
  c.pattern = "ring";
  c.rate = GENERATE(0.5, 0.8);
  c.window = {20'000, 4'000'000, 2'000};
  const star_result r = heddle::forked_runs(std::vector{c}, simulate).front();
  const double load = r.accepted, idle = 15;
  CHECK(r.min_network_latency == idle);
  CHECK(r.latency - idle == Approx((c.packet_flits - 1) * load / (2 * (1 - load))).epsilon(0.02));
}

TEST_CASE("zero-load latency follows from channel latency, pipeline and packet length") {
  star_configuration c;
  c.pattern = "ring";
  c.rate = 0.01;
  c.channel_latency = GENERATE(0, 1, 7);
  c.pipeline = GENERATE(4, 6);
  c.packet_flits = GENERATE(1, 5);
  const star_result r = heddle::forked_runs(std::vector{c}, simulate).front();
  CHECK(r.min_network_latency == 2 * (1 + c.channel_latency) + c.pipeline - 1 + c.packet_flits - 1);
}

TEST_CASE("the slot of a body flit turns around in 5 cycles") {
  star_configuration c;
  c.buffer_flits = 1;  // so that every flit waits for the credit of the one before
  c.pattern = "ring";
  c.packet_flits = 9;
  c.rate = 0.001;
  const star_result r = heddle::forked_runs(std::vector{c}, simulate).front();
  const int wire = 1 + c.channel_latency, route_and_allocate_vc = 2, crossbar = 1;
  CHECK(r.min_network_latency == wire + route_and_allocate_vc + 8 * 5 + crossbar + wire);
}
