// The graph that a `topology:` expands to: what is linked to what, and how well.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "platform/netlist/plan.hpp"

namespace heddle {

// Plans a netlist that is a topology of small nodes: "kind: star, hosts: 4".
netlist_plan plan_topology(const std::string& keys, const std::string& more = "");

class topology_graph {
 public:
  // Throws std::runtime_error for a port that two links use.
  explicit topology_graph(const netlist_plan& plan);

  // "a.port[0] - b.port[1]", as expanded.
  const std::vector<std::string>& links() const { return links_; }
  std::uint64_t links_between(const std::string& a, const std::string& b) const;
  std::uint64_t degree(const std::string& unit) const;
  // Hops between units, links counted; throws std::out_of_range when there is no way.
  std::uint64_t distance(const std::string& from, const std::string& to) const;
  // The largest distance from the unit to any other one that is reached, and how many are.
  std::pair<std::uint64_t, std::size_t> reach(const std::string& from) const;
  // Ports of switches that no link uses.
  const std::vector<std::string>& free_ports() const { return free_ports_; }

 private:
  std::map<std::string, std::uint64_t> distances(const std::string& from) const;

  std::vector<std::string> links_, free_ports_;
  std::map<std::string, std::map<std::string, std::uint64_t>> neighbors_;  // how many links
};

}  // namespace heddle
