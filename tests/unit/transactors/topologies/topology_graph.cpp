#include "tests/unit/transactors/topologies/topology_graph.hpp"

#include <deque>
#include <stdexcept>

#include "platform/netlist/planner.hpp"
#include "platform/yaml/parse.hpp"

namespace heddle {

netlist_plan plan_topology(const std::string& keys, const std::string& more) {
  const std::string text =
      "heddle: 1\nname: t\ntopology: {" + keys + ", host: {type: packet_traffic}}\n" + more;
  return plan_netlist(parse_yaml_text(text, "t.yaml"), "t.yaml", {});
}

topology_graph::topology_graph(const netlist_plan& plan) {
  std::set<std::string> used;
  for (const planned_link& each : plan.links) {
    links_.push_back(each.a.text() + " - " + each.b.text());
    for (const planned_end* end : {&each.a, &each.b})
      if (!used.insert(end->text()).second)
        throw std::runtime_error(end->text() + " is used twice");
    ++neighbors_[each.a.unit()][each.b.unit()];
    ++neighbors_[each.b.unit()][each.a.unit()];
  }
  for (const planned_unit& each : plan.units)
    for (const parameter_base* parameter : each.parameters->all())
      if (parameter->name() == "ports" && each.type->name == "switch")
        for (int port = 0; port < std::stoi(parameter->text()); ++port) {
          const std::string name = each.path + ".port[" + std::to_string(port) + "]";
          if (!used.count(name)) free_ports_.push_back(name);
        }
}

std::uint64_t topology_graph::links_between(const std::string& a, const std::string& b) const {
  const auto& from = neighbors_.at(a);
  const auto found = from.find(b);
  return found == from.end() ? 0 : found->second;
}

std::uint64_t topology_graph::degree(const std::string& unit) const {
  std::uint64_t sum = 0;
  for (const auto& [neighbor, links] : neighbors_.at(unit)) sum += links;
  return sum;
}

std::map<std::string, std::uint64_t> topology_graph::distances(const std::string& from) const {
  std::map<std::string, std::uint64_t> found{{from, 0}};
  std::deque<std::string> next{from};
  for (; !next.empty(); next.pop_front())
    for (const auto& [neighbor, links] : neighbors_.at(next.front()))
      if (found.emplace(neighbor, found.at(next.front()) + 1).second) next.push_back(neighbor);
  return found;
}

std::uint64_t topology_graph::distance(const std::string& from, const std::string& to) const {
  return distances(from).at(to);
}

std::pair<std::uint64_t, std::size_t> topology_graph::reach(const std::string& from) const {
  std::uint64_t farthest = 0;
  const auto all = distances(from);
  for (const auto& [unit, distance] : all) farthest = std::max(farthest, distance);
  return {farthest, all.size()};
}

}  // namespace heddle
