// Systems of many nodes: `system-hop.128.direct` and `.ring` are what a packet over one link costs
// in an all-reduce of 8 MiB by 128 accelerators behind 16 leaves and 8 spines, with all that makes
// and takes it: cores, DMA engines, buses, memories; no data is carried. `.train-4` moves four
// packets as one object, a quarter of a message of the direct algorithm. `tile-hop.8x8` and
// `.16x16` are what a flit over one link costs in an all-reduce of 4 KiB by the firmware of so many
// tiles, while routers only forward. Tiles poll for each other, and a poll must not cost more in a
// larger mesh. `start-up.*` is the CPU time from the netlist to the first event,
// `start-up.*.memory` what a node takes then, its share of the network included.
#include <fmt/format.h>

#include <string>

#include "platform/number/median.hpp"
#include "tests/bench/collective_run.hpp"
#include "tests/bench/measurement.hpp"

namespace heddle {
namespace {

constexpr int rounds = 3;

std::string accelerators(int count) {
  return fmt::format(
      "  gpu: {{array: {}, index: g, use: units/accelerator.yaml, number: '${{g}}', planes: 1, "
      "mtu: 4 KiB}}\n",
      count);
}

std::string switches(const std::string& name, int count, int ports) {
  return fmt::format("  {}: {{array: {}, type: switch, ports: {}}}\n", name, count, ports);
}

std::string links(const std::string& loops, const std::string& a, const std::string& b) {
  return fmt::format(
      "  - {{for: {{{}}}, between: ['{}', '{}'], bandwidth: 50 GB/s, latency: 250 ns}}\n", loops, a,
      b);
}

std::string leaf_spine(int leaves, int hosts, int spines) {
  return "heddle: 1\nname: leaf_spine\nunits:\n" + accelerators(leaves * hosts) +
         switches("leaf", leaves, hosts + spines) + switches("spine", spines, leaves) + "links:\n" +
         links(fmt::format("l: {}, h: {}", leaves, hosts),
               fmt::format("gpu[l * {} + h].port[0]", hosts), "leaf[l].port[h]") +
         links(fmt::format("l: {}, s: {}", leaves, spines),
               fmt::format("leaf[l].port[{} + s]", hosts), "spine[s].port[l]");
}

std::string star(int ports) {
  return "heddle: 1\nname: star\nunits:\n" + accelerators(ports) +
         fmt::format("  hub: {{type: switch, ports: {}}}\n", ports) + "links:\n" +
         links(fmt::format("g: {}", ports), "gpu[g].port[0]", "hub.port[g]");
}

// Three levels without oversubscription: `arity` pods of `arity` edge switches with as many nodes.
std::string fat_tree(int arity) {
  const int square = arity * arity;
  const std::string all = fmt::format("p: {0}, i: {0}, j: {0}", arity);
  return "heddle: 1\nname: fat_tree\nunits:\n" + accelerators(square * arity) +
         switches("edge", square, 2 * arity) + switches("aggregation", square, 2 * arity) +
         switches("core", square, arity) + "links:\n" +
         links(all, fmt::format("gpu[(p * {0} + i) * {0} + j].port[0]", arity),
               fmt::format("edge[p * {} + i].port[j]", arity)) +
         links(all, fmt::format("edge[p * {0} + i].port[{0} + j]", arity),
               fmt::format("aggregation[p * {} + j].port[i]", arity)) +
         links(all, fmt::format("aggregation[p * {0} + i].port[{0} + j]", arity),
               fmt::format("core[i * {} + j].port[p]", arity));
}

// Routers and terminals of traffic.
std::string mesh(int side) {
  const std::string place = fmt::format("x: '${{i % {0}}}', y: '${{i / {0}}}'", side);
  const auto joined = [&](const std::string& loops, const std::string& a, const std::string& b) {
    return fmt::format(
        "  - {{for: {{{}}}, between: ['{}', '{}'], latency: 2, vcs: 4, buffer: 8}}\n", loops, a, b);
  };
  return fmt::format(
             "heddle: 1\nname: mesh\nunits:\n"
             "  router: {{array: {0}, type: mesh_router, {1}}}\n"
             "  node: {{array: {0}, type: mesh_traffic, {1}, width: {2}, height: {2}, rate: "
             "0.01}}\n"
             "links:\n",
             side * side, place, side) +
         joined(fmt::format("i: {}", side * side), "node[i].port", "router[i].local") +
         joined(fmt::format("y: {}, x: {}", side, side - 1),
                fmt::format("router[y * {} + x].east", side),
                fmt::format("router[y * {} + x + 1].west", side)) +
         joined(fmt::format("y: {}, x: {}", side - 1, side),
                fmt::format("router[y * {} + x].north", side),
                fmt::format("router[(y + 1) * {} + x].south", side));
}

// What crossing a link costs, in the median of some runs.
template <class Simulate>
double hop_ns(Simulate simulate) {
  std::vector<double> costs;
  for (int round = 0; round < rounds; ++round) {
    const forked_result run = simulate();
    costs.push_back(1e9 * run.cpu_s / run.hops);
  }
  return median_of(costs);
}

std::vector<bench_row> measure_hops(const std::string& name, const std::string& algorithm,
                                    int train) {
  constexpr double bar_ns = 1000 / 3.0;  // 3 M packet-hops/s
  const std::string netlist =
      leaf_spine(16, 8, 8) + fmt::format("train: {}\n", train) +
      "data: off\nworkload: {collective: allreduce, algorithm: " + algorithm +
      ", dtype: fp16, op: sum, bytes: 8 MiB, check: off, explain: off}\n";
  const double ours = hop_ns([&] { return simulate_collective_of(netlist); });
  return {plain_row(name, ours, "ns", bar_ns)};
}

std::vector<bench_row> measure_tiles(const std::string& name, int side) {
  const std::vector<std::string> overrides = {fmt::format("params.width={}", side),
                                              fmt::format("params.height={}", side),
                                              "workload.collective=allreduce",
                                              "workload.algorithm=mesh_tree",
                                              "workload.bytes=4 KiB",
                                              "workload.repeat=8"};
  const double ours = hop_ns([&] { return simulate_collective("mesh_tiles.yaml", overrides); });
  constexpr double no_bar = 0;
  return {plain_row(name, ours, "ns", no_bar)};
}

std::vector<bench_row> measure_start(const std::string& name, const std::string& netlist, int nodes,
                                     double bar_s, double bar_bytes) {
  const forked_result run = start_up(netlist);
  return {plain_row(name, run.cpu_s, "s", bar_s),
          plain_row(name + ".memory", run.bytes / nodes, "B", bar_bytes)};
}

[[maybe_unused]] const bool is_registered = [] {
  for (const std::string algorithm : {"direct", "ring"}) {
    for (const int train : {1, 4}) {
      const std::string name =
          "system-hop.128." + algorithm + (train == 1 ? "" : fmt::format(".train-{}", train));
      add_benchmark(name, [=] { return measure_hops(name, algorithm, train); });
    }
  }
  for (const int side : {8, 16}) {
    const std::string name = fmt::format("tile-hop.{0}x{0}", side);
    add_benchmark(name, [=] { return measure_tiles(name, side); });
  }
  const auto add = [](const std::string& name, const std::string& netlist, int nodes, double bar,
                      double bytes = 0.3e6) {
    add_benchmark(name, [=] { return measure_start(name, netlist, nodes, bar, bytes); });
  };
  add("start-up.mesh-256x256", mesh(256), 65'536, 5, 8192);
  add("start-up.leaf-spine-512", leaf_spine(32, 16, 16), 512, 2);
  add("start-up.star-1024", star(1024), 1024, 2);
  add("start-up.fat-tree-4096", fat_tree(16), 4096, 5);
  return true;
}();

}  // namespace
}  // namespace heddle
