// Switches and endpoints joined by hand, to ask where packets would go.
#pragma once

#include <string>
#include <vector>

#include "models/switch/switch.hpp"
#include "tests/support/packet_endpoint.hpp"
#include "tests/support/test_bench.hpp"

namespace heddle {

struct switch_graph : test_bench {
  // Ports are taken in the order of links, from 0 on.
  packet_switch& add_switch(const std::string& name, std::uint64_t ports = 8) {
    packet_switch& added =
        add<packet_switch>(name, [&](switch_parameters& p) { p.ports.set(ports); });
    switches.push_back(&added);
    used_.push_back(0);
    return added;
  }
  void add_switches(const std::string& name, int count, std::uint64_t ports = 8) {
    for (int i = 0; i < count; ++i) add_switch(name + "[" + std::to_string(i) + "]", ports);
  }
  // The index of the endpoint.
  std::size_t add_end(std::size_t at) {
    const std::string name = "end[" + std::to_string(ends.size()) + "]";
    ends.push_back(&add_stimulus<packet_endpoint>(name, relied_on));
    link(*ends.back(), "port", *switches[at], next_port(at));
    return ends.size() - 1;
  }
  void join(std::size_t a, std::size_t b, std::uint64_t weight = 1, std::uint64_t vcs = 2) {
    const std::string port_a = next_port(a);
    link(*switches[a], port_a, *switches[b], next_port(b), [&](link_parameters& p) {
      p.weight.set(weight);
      p.vcs.set(vcs);
    });
  }

  fabric& net() { return sim.service<fabric>(); }
  packet make(std::size_t from, std::size_t to, packet_kind kind = packet_kind::read_request,
              std::uint64_t address = 0) {
    packet p;
    p.kind = kind;
    p.source = ends[from]->id;
    p.destination = ends[to]->id;
    p.address = address;
    return p;
  }
  // Index of the output; the packet gets the channel of the next link.
  int hop(std::size_t at, packet& p) {
    const route_hop next = net().routes(*switches[at]).next(p);
    p.vc = next.vc;
    return next.port;
  }
  int port(std::size_t at, std::size_t from, std::size_t to) {
    packet p = make(from, to);
    return hop(at, p);
  }
  // "sw[0].port[1] vc 0, ..." from the first switch to the destination.
  std::string way(std::size_t from, std::size_t to, packet_kind kind = packet_kind::read_request) {
    packet p = make(from, to, kind);
    std::string text;
    const unit* at = &ends[from]->port.peer()->owner();
    for (int hops = 0; at != ends[to] && hops < 64; ++hops) {
      const route_hop next = net().routes(*at).next(p);
      p.vc = next.vc;
      const heddle::port* out = at->find_port("port[" + std::to_string(next.port) + "]");
      if (!text.empty()) text += ", ";
      text += out->path() + " vc " + std::to_string(next.vc);
      at = &dynamic_cast<const packet_port&>(*out).peer()->owner();
    }
    return text;
  }

  packet_order relied_on = packet_order::none;  // by endpoints that are added
  std::vector<packet_switch*> switches;
  std::vector<packet_endpoint*> ends;

 private:
  std::string next_port(std::size_t at) { return "port[" + std::to_string(used_[at]++) + "]"; }
  std::vector<int> used_;
};

}  // namespace heddle
