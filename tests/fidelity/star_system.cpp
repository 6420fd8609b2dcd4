#include "tests/fidelity/star_system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "models/switch/switch.hpp"
#include "models/traffic/traffic_node.hpp"
#include "platform/unit/simulation.hpp"
#include "platform/yaml/parse.hpp"

namespace heddle {
namespace {

constexpr int flit_bytes = 16;

// Fills parameters the way a netlist does.
void load(parameter_set& parameters, const std::string& yaml) {
  yaml_mapping mapping(parse_yaml_text(yaml, "star_system"), "the star");
  parameters.load(mapping);
  mapping.finish();
}

// The sockets of a link are made when it is connected, and SystemC makes ports in modules only.
class wiring final : public sc_core::sc_module {
 public:
  wiring(sc_core::sc_module_name name, packet_switch& hub,
         const std::vector<std::unique_ptr<traffic_node>>& nodes, const link_parameters& link)
      : sc_module(name) {
    for (std::size_t i = 0; i < nodes.size(); ++i)
      nodes[i]->find_port("port")->connect(*hub.find_port(fmt::format("port[{}]", i)), &link);
  }
};

double cycles(double fs) {
  return fs / static_cast<double>(fs_per_ns);
}

star_result summarize(const std::vector<std::unique_ptr<traffic_node>>& nodes,
                      const star_configuration& c) {
  star_result result;
  std::uint64_t packets = 0, latency = 0, network_latency = 0, window_flits = 0;
  std::uint64_t smallest = UINT64_MAX;
  for (const auto& node : nodes) {
    const traffic_counters& count = node->count();
    result.flits += count.flits_received.raw();
    window_flits += count.window_flits.raw();
    packets += count.measured.raw();
    latency += count.latency.raw();
    network_latency += count.network_latency.raw();
    if (count.measured.raw() > 0) smallest = std::min(smallest, count.min_network_latency.raw());
  }
  const auto total = static_cast<double>(std::max<std::uint64_t>(packets, 1));
  result.latency = cycles(static_cast<double>(latency)) / total;
  result.network_latency = cycles(static_cast<double>(network_latency)) / total;
  result.min_network_latency = cycles(static_cast<double>(smallest));
  result.accepted = static_cast<double>(window_flits) / static_cast<double>(c.measure) / c.ports;
  return result;
}

}  // namespace

star_result run_star(const star_configuration& c, bool stops_early) {
  switch_parameters router;
  load(router, fmt::format("{{ports: {}, core: fifo, pipeline: {}, cycle: 1 ns, flit: {} B}}",
                           c.ports, c.pipeline, flit_bytes));
  traffic_parameters traffic;
  load(traffic,
       fmt::format("{{rate: {}, pattern: {}, packet_flits: {}, cycle: 1 ns, flit: {} B, "
                   "warmup: {} ns, measure: {} ns, cooldown: {} ns}}",
                   c.rate, c.pattern, c.packet_flits, flit_bytes, c.warmup, c.measure, c.cooldown));
  link_parameters link;  // the cycle on the wire counts as latency
  load(link, fmt::format("{{bandwidth: {} GB/s, latency: {} ns, vcs: {}, buffer: {} B}}",
                         flit_bytes, 1 + c.channel_latency, c.vcs, c.buffer_flits * flit_bytes));

  simulation sim{simulation_settings{}};
  packet_switch hub({"hub", sim}, router);
  std::vector<std::unique_ptr<traffic_node>> nodes;
  for (int i = 0; i < c.ports; ++i)
    nodes.push_back(
        std::make_unique<traffic_node>(unit_context(fmt::format("node[{}]", i), sim), traffic));
  const wiring links("links", hub, nodes, link);
  if (stops_early)
    sc_core::sc_start(to_sc_time((c.warmup + c.measure + c.cooldown) * fs_per_ns));
  else
    sc_core::sc_start();
  return summarize(nodes, c);
}

}  // namespace heddle
