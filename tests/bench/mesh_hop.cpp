// `flit-hop.WxH.RATE`: what it costs to take one flit through one router of a mesh, uniform traffic
// of single-flit packets, 4 virtual channels of 8 flits. All CPU time of the run counts, that of
// the random sources and of the sinks included. `router-memory`: what a router and its ports
// occupy. `flit-star`: a packet of nine flits at a flit_switch with eight ports.
#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "models/mesh/router/mesh_router.hpp"
#include "models/mesh/traffic/mesh_traffic.hpp"
#include "models/router/flit_switch.hpp"
#include "models/traffic/flit_traffic.hpp"
#include "platform/time/kernel_run.hpp"
#include "platform/unit/simulation.hpp"
#include "tests/bench/measurement.hpp"

namespace heddle {
namespace {

constexpr int rounds = 9;
constexpr double hops_of_a_round = 1e6;  // about 50 ms

class mesh_load {
 public:
  mesh_load(int size, double rate) : size_(size), rate_(rate) {
    for (int i = 0; i < size * size; ++i) add_tile(i);
    for (int i = 0; i < size * size; ++i) {
      join(*nodes_[i], "port", *routers_[i], "local");
      if (i % size + 1 < size) join(*routers_[i], "east", *routers_[i + 1], "west");
      if (i / size + 1 < size) join(*routers_[i], "north", *routers_[i + size], "south");
    }
    for (unit* each : sim_.units()) each->on_connected();
  }

  // CPU seconds a flit and router.
  double run() {
    const std::uint64_t before_hops = hops();
    const double before = cpu_seconds();
    const double hops_a_cycle = rate_ * size_ * size_ * (2.0 * size_ / 3 + 1);
    run_kernel_for(static_cast<fs_t>(hops_of_a_round / hops_a_cycle) * fs_per_ns);
    return (cpu_seconds() - before) / static_cast<double>(hops() - before_hops);
  }

  std::size_t router_bytes() const { return routers_[size_ + 1]->bytes(); }

  static void join(unit& a, const std::string& port_a, unit& b, const std::string& port_b) {
    flit_link_parameters link;
    link.latency.set(2);
    link.vcs.set(4);
    link.buffer.set(8);
    a.find_port(port_a)->connect(*b.find_port(port_b), &link);
  }

 private:
  std::uint64_t hops() const {
    std::uint64_t sum = 0;
    for (const auto& each : routers_) sum += each->count().flits.raw();
    return sum;
  }

  void add_tile(int i) {
    mesh_router_parameters router;
    mesh_traffic_parameters node;
    router.x.set(static_cast<std::uint64_t>(i % size_));
    router.y.set(static_cast<std::uint64_t>(i / size_));
    node.x.set(router.x());
    node.y.set(router.y());
    node.width.set(static_cast<std::uint64_t>(size_));
    node.height.set(static_cast<std::uint64_t>(size_));
    node.rate.set(rate_);
    node.measure.set(1'000_ms);  // longer than any run here
    routers_.push_back(
        std::make_unique<mesh_router>(unit_context(fmt::format("router[{}]", i), sim_), router));
    nodes_.push_back(
        std::make_unique<mesh_traffic>(unit_context(fmt::format("node[{}]", i), sim_), node));
  }

  simulation sim_{simulation_settings{}};
  int size_;
  double rate_;
  std::vector<std::unique_ptr<mesh_router>> routers_;
  std::vector<std::unique_ptr<mesh_traffic>> nodes_;
};

// CPU time of a packet, from the netlist that is compared with a cycle-level simulator.
std::vector<bench_row> measure_star() {
  constexpr double bar_us = 0.5;
  constexpr int ports = 8;
  simulation sim{simulation_settings{}};
  flit_switch_parameters hub;
  flit_traffic_parameters node;
  hub.ports.set(ports);
  node.rate.set(0.4);
  node.packet_flits.set(9);
  node.measure.set(1'000_ms);
  const auto star =
      registry::instance().find_unit_type("flit_switch")->make(unit_context("hub", sim), hub);
  std::vector<std::unique_ptr<flit_traffic>> nodes;
  for (int i = 0; i < ports; ++i)
    nodes.push_back(
        std::make_unique<flit_traffic>(unit_context(fmt::format("node[{}]", i), sim), node));
  for (int i = 0; i < ports; ++i)
    mesh_load::join(*nodes[i], "port", *star, fmt::format("port[{}]", i));
  for (unit* each : sim.units()) each->on_connected();
  const auto packets = [&] {
    double sum = 0;
    for (const auto& each : nodes) sum += static_cast<double>(each->count().packets_received.raw());
    return sum;
  };
  std::vector<double> costs;
  for (int round = 0; round <= rounds; ++round) {
    const double before_packets = packets(), before = cpu_seconds();
    run_kernel_for(200'000 * fs_per_ns);
    if (round > 0) costs.push_back(1e6 * (cpu_seconds() - before) / (packets() - before_packets));
  }
  return {plain_row("flit-star", median(costs), "us", bar_us)};
}

std::vector<bench_row> measure(int size, double rate, double bar_ns, const std::string& name) {
  mesh_load mesh(size, rate);
  mesh.run();  // fills queues and caches
  std::vector<double> costs;
  for (int round = 0; round < rounds; ++round) costs.push_back(1e9 * mesh.run());
  std::vector<bench_row> rows = {plain_row(name, median(costs), "ns", bar_ns)};
  if (size == 8 && rate < 0.15)
    rows.push_back(plain_row("router-memory", static_cast<double>(mesh.router_bytes()), "B", 0));
  return rows;
}

[[maybe_unused]] const bool is_registered = [] {
  const auto add = [](int size, double rate, double bar_ns) {
    const std::string name = fmt::format("flit-hop.{0}x{0}.{1}", size, rate);
    add_benchmark(name, [=] { return measure(size, rate, bar_ns, name); });
  };
  for (const int size : {8, 16})
    for (const double rate : {0.1, 0.2, 0.3}) add(size, rate, 45);
  add(64, 0.02, 90);  // a third of what its bisection takes
  add_benchmark("flit-star", measure_star);
  return true;
}();

}  // namespace
}  // namespace heddle
