#include "tests/support/traffic_system.hpp"

#include <fmt/format.h>

#include "platform/netlist/planner.hpp"
#include "platform/time/kernel_run.hpp"
#include "platform/yaml/parse.hpp"

namespace heddle {

traffic_system::traffic_system(const std::string& netlist)
    : plan_(plan_netlist(parse_yaml_text(netlist, "test.yaml"), "test.yaml", {})),
      sim(plan_.settings),
      system_(plan_, sim) {}

void traffic_system::run() {
  run_kernel();
  if (sc_core::sc_get_status() != sc_core::SC_STOPPED) sim.service<run_control>().starve();
}

const packet_traffic_counters& traffic_system::of(const std::string& path) const {
  return dynamic_cast<const packet_traffic&>(*sim.find_unit(path)).count();
}

const std::vector<std::string>& traffic_system::failures() {
  return sim.service<run_control>().failures();
}

std::vector<packet_traffic_summary> traffic_system::summary() {
  return summarize_packets(sim.service<traffic_directory>(), {now_fs(), is_stopped()});
}

std::string star_netlist(int nodes, const std::string& keys, const std::string& top) {
  return fmt::format(
      "heddle: 1\n"
      "name: star\n"
      "{2}"
      "units:\n"
      "  hub: {{type: switch, ports: {0}, forwarding: 100 ns}}\n"
      "  node:\n"
      "    array: {0}\n"
      "    type: packet_traffic\n"
      "    packet_bytes: 200 B\n"
      "    warmup: 1 us\n"
      "{1}"
      "links:\n"
      "  - for: {{i: {0}}}\n"
      "    between: [\"node[i].port\", \"hub.port[i]\"]\n"
      "    bandwidth: 100 GB/s\n"
      "    latency: 50 ns\n",
      nodes, keys, top);
}

}  // namespace heddle
