#include "tests/fidelity/random_fabric.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tests/fidelity/random_network.hpp"

namespace heddle {
namespace {

// Routes to some hosts, by the number of the host; the others follow shortest paths.
using route_table = std::vector<std::pair<int, next_hops>>;

struct choices {
  random_network net;
  std::string policy, spread;
  bool has_datelines = true;
  route_table table;
};

std::string choose_policy(dice& random, network_form form) {
  switch (form) {
    case network_form::grid:
      return random.one_of<std::string>({"dimension_order", "dimension_order", "dimension_order",
                                         "shortest", "up_down", "table"});
    case network_form::dragonfly:
      return random.one_of<std::string>({"dragonfly", "dragonfly", "up_down", "table"});
    default:
      return random.one_of<std::string>({"shortest", "up_down", "up_down", "table"});
  }
}

choices choose(const random_fabric& f) {
  dice random(f.seed);
  choices made;
  made.net = make_network(random, f.switches, f.more_links, f.hosts);
  // Smaller fabrics of a seed keep its kind of routing where they can.
  dice routing(f.seed + 1'000'000);
  made.policy = choose_policy(routing, made.net.form);
  made.spread = routing.one_of<std::string>(
      {"destination", "owner", "flow", "address", "packet", "adaptive"});
  made.has_datelines = !routing.is_one_in(3);
  const bool has_detours = routing.is_one_in(3);
  for (int host = 0; made.policy == "table" && host < f.hosts; ++host)
    if (random.is_one_in(2))
      made.table.emplace_back(host,
                              make_table(random, made.net, made.net.homes[host].at, has_detours));
  return made;
}

std::string text_of(const route_table& table) {
  std::string text;
  for (const auto& [host, hops] : table)
    for (std::size_t at = 0; at < hops.size(); ++at) {
      if (hops[at].empty()) continue;
      std::vector<std::string> ports;
      for (const random_network::way& each : hops[at])
        ports.push_back(fmt::format("\"port[{}]\"", each.port));
      text += fmt::format("{}{{at: \"s[{}]\", to: \"host[{}]\", through: [{}]}}",
                          text.empty() ? "" : ",\n  ", at, host, fmt::join(ports, ", "));
    }
  return text;
}

std::string routing_of(const choices& c, bool checked) {
  std::string more;
  if (c.policy == "dimension_order")
    more = fmt::format(", sides: [{}], datelines: {}", fmt::join(c.net.sides, ", "),
                       c.has_datelines ? "on" : "off");
  if (c.policy == "dragonfly") more = fmt::format(", groups: {}", c.net.groups);
  if (c.policy == "table") more = fmt::format(", routes: [{}]", text_of(c.table));
  return fmt::format("routing: {{policy: {}, spread: {}, check: {}{}}}\n", c.policy, c.spread,
                     checked ? "on" : "off", more);
}

std::string links_of(const choices& c, dice& random) {
  std::string text;
  const bool has_phases = c.policy == "dimension_order" || c.policy == "dragonfly";
  const int vcs = has_phases ? 4 : 2 * (1 + random.below(2));
  const auto add = [&](const std::string& from, const random_network::end& to) {
    text += fmt::format(
        "  - {{between: [\"{}\", \"s[{}].port[{}]\"], bandwidth: {} GB/s, latency: {} ns, buffer: "
        "{} B, vcs: {}, weight: {}}}\n",
        from, to.at, to.port, random.one_of<int>({50, 100, 200}), random.one_of<int>({1, 20, 300}),
        200 * (1 + random.below(3)), vcs, random.one_of<int>({1, 1, 2}));
  };
  for (std::size_t i = 0; i < c.net.homes.size(); ++i)
    add(fmt::format("host[{}].port", i), c.net.homes[i]);
  for (const auto& [a, b] : c.net.links) add(fmt::format("s[{}].port[{}]", a.at, a.port), b);
  return text;
}

// The fabric promises the order of a flow with these keys alone.
bool keeps_order(const std::string& spread) {
  return spread == "destination" || spread == "owner" || spread == "flow";
}

}  // namespace

std::string random_fabric::netlist(bool checked) const {
  const choices c = choose(*this);
  dice random(seed + 2'000'000);
  const std::string links = links_of(c, random);
  return fmt::format(
      "heddle: 1\n"
      "name: random\n"
      "seed: {}\n"
      "{}"
      "units:\n"
      "  s: {{array: {}, type: switch, ports: {}, forwarding: 10 ns}}\n"
      "  host: {{array: {}, type: packet_traffic, load: 1, packet_bytes: 200 B, order: {},\n"
      "         outstanding: {}, warmup: 0 ns, measure: {} ns, cooldown: 0 ns}}\n"
      "links:\n"
      "{}",
      seed, routing_of(c, checked), c.net.switches(), c.net.most_ports, hosts,
      keeps_order(c.spread) ? "kept" : "free", random.one_of<int>({0, 0, 4}), packets * 2, links);
}

bool random_fabric::has_loop() const {
  for (const auto& [host, table] : choose(*this).table)
    if (heddle::has_loop(table)) return true;
  return false;
}

std::string random_fabric::text() const {
  const choices c = choose(*this);
  return fmt::format("seed {}: {} switches, {} more links, {} hosts, {} by {}", seed,
                     c.net.switches(), more_links, hosts, c.policy, c.spread);
}

std::vector<random_fabric> random_fabric::simpler() const {
  std::vector<random_fabric> smaller;
  const auto add = [&](int random_fabric::*what, int least) {
    for (const int value : {(this->*what + least) / 2, this->*what - 1}) {
      if (value < least || value >= this->*what) continue;
      smaller.push_back(*this);
      smaller.back().*what = value;
    }
  };
  add(&random_fabric::switches, 2);
  add(&random_fabric::hosts, 2);
  add(&random_fabric::more_links, 0);
  add(&random_fabric::packets, 1);
  return smaller;
}

}  // namespace heddle
