// `flit-hop.WxH.RATE`: what it costs to take one flit through one router of a mesh, uniform traffic
// of single-flit packets, 4 virtual channels of 8 flits. All CPU time of the run counts, that of
// the random sources and of the sinks included. `flit-hop.WxH.RATE.2-threads`: the same by two
// threads, in elapsed time. `router-memory`: what a router and its ports occupy. `flit-star`: a
// packet of nine flits at a flit_switch with eight ports.
//
// The floor, which says how fast the machine is at that moment, is one activation of a timed
// SC_METHOD among as many as there are routers, or ports of the star.
#include <fmt/format.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "models/mesh/router/mesh_router.hpp"
#include "models/mesh/traffic/mesh_traffic.hpp"
#include "models/router/flit_switch.hpp"
#include "models/traffic/flit_traffic.hpp"
#include "platform/number/median.hpp"
#include "platform/time/kernel_run.hpp"
#include "platform/unit/simulation.hpp"
#include "tests/bench/forked_run.hpp"
#include "tests/bench/kernel_floor.hpp"
#include "tests/bench/measurement.hpp"

namespace heddle {
namespace {

constexpr int rounds = 3;               // each has a process of its own
constexpr int windows = 5;              // of a round
constexpr double hops_of_window = 1e6;  // about 50 ms
constexpr std::uint64_t activations_of_window = 300'000;

class mesh_load {
 public:
  mesh_load(int size, double rate, int threads = 1)
      : size_(size), rate_(rate), clock_(threads > 1 ? wall_seconds : cpu_seconds) {
    sim_.service<clock_domains>().use_threads(threads);
    for (int i = 0; i < size * size; ++i) add_tile(i);
    sim_.service<clock_domains>().spread();
    for (int i = 0; i < size * size; ++i) {
      join(*nodes_[i], "port", *routers_[i], "local");
      if (i % size + 1 < size) join(*routers_[i], "east", *routers_[i + 1], "west");
      if (i / size + 1 < size) join(*routers_[i], "north", *routers_[i + size], "south");
    }
    for (unit* each : sim_.units()) each->on_connected();
  }

  // Seconds a flit and router.
  double run() {
    const std::uint64_t before_hops = hops();
    const double before = clock_();
    const double hops_a_cycle = rate_ * size_ * size_ * (2.0 * size_ / 3 + 1);
    run_kernel_for(static_cast<fs_t>(hops_of_window / hops_a_cycle) * fs_per_ns);
    return (clock_() - before) / static_cast<double>(hops() - before_hops);
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
  double (*clock_)();
  std::vector<std::unique_ptr<mesh_router>> routers_;
  std::vector<std::unique_ptr<mesh_traffic>> nodes_;
};

// A star of the netlist that is compared with a cycle-level simulator.
class star_load {
 public:
  static constexpr int ports = 8;

  star_load() {
    flit_switch_parameters hub;
    flit_traffic_parameters node;
    hub.ports.set(ports);
    node.rate.set(0.4);
    node.packet_flits.set(9);
    node.measure.set(1'000_ms);
    hub_ = registry::instance().find_unit_type("flit_switch")->make(unit_context("hub", sim_), hub);
    for (int i = 0; i < ports; ++i) {
      const std::string name = fmt::format("node[{}]", i);
      nodes_.push_back(std::make_unique<flit_traffic>(unit_context(name, sim_), node));
    }
    for (int i = 0; i < ports; ++i)
      mesh_load::join(*nodes_[i], "port", *hub_, fmt::format("port[{}]", i));
    for (unit* each : sim_.units()) each->on_connected();
  }

  // CPU seconds a packet.
  double run() {
    const double before_packets = packets(), before = cpu_seconds();
    run_kernel_for(200'000 * fs_per_ns);
    return (cpu_seconds() - before) / (packets() - before_packets);
  }

 private:
  double packets() const {
    double sum = 0;
    for (const auto& each : nodes_)
      sum += static_cast<double>(each->count().packets_received.raw());
    return sum;
  }

  simulation sim_{simulation_settings{}};
  std::unique_ptr<unit> hub_;
  std::vector<std::unique_ptr<flit_traffic>> nodes_;
};

// The median of the windows; one more comes first and fills queues and caches.
template <class Run>
forked_result median_of_windows(Run run) {
  run();
  std::vector<double> costs;
  for (int i = 0; i < windows; ++i) costs.push_back(run());
  forked_result result;
  result.cpu_s = median_of(costs);
  return result;
}

double floor_cost(int processes) {
  return run_forked([=] {
           kernel_floor floor("floor", processes, fs_per_ns);
           sc_core::sc_start(sc_core::SC_ZERO_TIME);
           return median_of_windows([&] { return floor.run(activations_of_window); });
         })
      .cpu_s;
}

template <class Load>
double cost_of(const std::function<std::unique_ptr<Load>()>& make) {
  return run_forked([=] {
           const std::unique_ptr<Load> load = make();
           return median_of_windows([&] { return load->run(); });
         })
      .cpu_s;
}

// `scale` makes the unit of seconds.
template <class Load>
bench_row measure(const std::string& name, const std::string& unit, double scale, int processes,
                  double bar, const std::function<std::unique_ptr<Load>()>& make) {
  const measured_pair measured = measure_in_turns(
      rounds, [&] { return scale * cost_of(make); }, [&] { return scale * floor_cost(processes); });
  bench_row row = cost_row(name, unit, measured, bar);
  row.holds = bench_row::held::value;
  return row;
}

bench_row measure_router_memory() {
  const forked_result small = run_forked([] {
    forked_result result;
    result.bytes = static_cast<double>(mesh_load(8, 0.1).router_bytes());
    return result;
  });
  return plain_row("router-memory", small.bytes, "B", 0);
}

[[maybe_unused]] const bool is_registered = [] {
  const auto add = [](int size, double rate, int threads, double bar_ns) {
    const std::string by = threads > 1 ? fmt::format(".{}-threads", threads) : "";
    const std::string name = fmt::format("flit-hop.{0}x{0}.{1}{2}", size, rate, by);
    add_benchmark(name, [=] {
      return std::vector<bench_row>{measure<mesh_load>(name, "ns", 1e9, size * size, bar_ns, [=] {
        return std::make_unique<mesh_load>(size, rate, threads);
      })};
    });
  };
  for (const int threads : {1, 2}) {
    for (const int size : {8, 16})
      for (const double rate : {0.1, 0.2, 0.3}) add(size, rate, threads, 45);
    add(64, 0.02, threads, 90);  // a third of what its bisection takes
  }
  add_benchmark("flit-star", [] {
    constexpr double bar_us = 0.5;
    return std::vector<bench_row>{measure<star_load>("flit-star", "us", 1e6, star_load::ports,
                                                     bar_us,
                                                     [] { return std::make_unique<star_load>(); })};
  });
  add_benchmark("router-memory", [] { return std::vector<bench_row>{measure_router_memory()}; });
  return true;
}();

}  // namespace
}  // namespace heddle
