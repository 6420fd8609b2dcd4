// A graph of switches that is routed by a section of a netlist.
#pragma once

#include <string>

#include "platform/netlist/section.hpp"
#include "platform/yaml/parse.hpp"
#include "tests/unit/fabric/switch_graph.hpp"

namespace heddle {

struct routed_graph : switch_graph {
  // As a netlist with that text under `routing` does.
  void route(const std::string& section) {
    const yaml_node node = parse_yaml_text(section, "net.yaml");
    for (const section_type& each : section_types())
      if (each.key == "routing") each.apply(&node, sim);
  }
  // "0 1 5": the switches between two endpoints; ends where one comes a second time.
  std::string path(std::size_t from, std::size_t to) {
    packet p = make(from, to);
    std::string text;
    std::vector<bool> is_passed(switches.size());
    const unit* at = &ends[from]->port.peer()->owner();
    while (at != ends[to]) {
      std::size_t number = 0;
      while (switches[number] != at) ++number;
      text += (text.empty() ? "" : " ") + std::to_string(number);
      if (is_passed[number]) break;
      is_passed[number] = true;
      const int out = hop(number, p);
      const heddle::port* way = at->find_port("port[" + std::to_string(out) + "]");
      at = &dynamic_cast<const packet_port&>(*way).peer()->owner();
    }
    return text;
  }
};

}  // namespace heddle
