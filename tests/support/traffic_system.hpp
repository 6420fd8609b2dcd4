// A netlist with terminals of synthetic traffic, given as text, and what they counted.
#pragma once

#include <string>

#include "models/traffic/packet_traffic.hpp"
#include "platform/netlist/builder.hpp"
#include "platform/run/packet_traffic_summary.hpp"

namespace heddle {

// One a process: the kernel elaborates only once.
class traffic_system {
 public:
  explicit traffic_system(const std::string& netlist);

  // Until nothing happens any more, or somebody stops the run.
  void run();
  const packet_traffic_counters& of(const std::string& path) const;
  const std::vector<std::string>& failures();
  std::vector<packet_traffic_summary> summary();

 private:
  netlist_plan plan_;

 public:
  simulation sim;

 private:
  built_system system_;
};

// Terminals node[0..nodes - 1] at the ports of one switch. `keys`: lines of YAML of every terminal.
// Links of 100 GB/s and 50 ns, packets of 200 B, a switch of 100 ns: a packet takes 2 ns on the
// wire and 202 ns from end to end.
std::string star_netlist(int nodes, const std::string& keys, const std::string& top = "");

}  // namespace heddle
