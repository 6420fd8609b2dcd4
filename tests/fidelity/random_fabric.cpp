#include "tests/fidelity/random_fabric.hpp"

#include <fmt/format.h>

#include <random>
#include <utility>
#include <vector>

namespace heddle {
namespace {

class dice {
 public:
  explicit dice(std::uint64_t seed) : engine_(seed) {}
  int below(int limit) { return static_cast<int>(engine_() % static_cast<unsigned>(limit)); }
  template <class T>
  T one_of(const std::vector<T>& choices) {
    return choices[below(static_cast<int>(choices.size()))];
  }

 private:
  std::mt19937_64 engine_;
};

struct graph {
  std::vector<std::pair<int, int>> links;
  std::vector<int> home;    // switch of each host
  std::vector<int> degree;  // ports in use, of each switch

  int take_port(int of) { return degree[of]++; }
};

graph random_graph(const random_fabric& f, dice& random) {
  graph g;
  g.degree.assign(f.switches, 0);
  for (int i = 1; i < f.switches; ++i) g.links.emplace_back(random.below(i), i);
  for (int i = 0; i < f.more_links && f.switches > 1; ++i) {
    const int a = random.below(f.switches), b = random.below(f.switches);
    if (a != b) g.links.emplace_back(a, b);
  }
  for (int i = 0; i < f.hosts; ++i) g.home.push_back(random.below(f.switches));
  return g;
}

std::string links_of(const random_fabric& f, graph& g, dice& random) {
  std::string text;
  const int vcs = 2 * (1 + random.below(2));
  const auto keys = [&] {
    return fmt::format(", bandwidth: {} GB/s, latency: {} ns, buffer: {} B, vcs: {}}}\n",
                       random.one_of<int>({50, 100, 200}), random.one_of<int>({1, 20, 300}),
                       200 * (1 + random.below(3)), vcs);
  };
  for (int i = 0; i < f.hosts; ++i)
    text += fmt::format("  - {{between: [\"host[{}].port\", \"s[{}].port[{}]\"]{}", i, g.home[i],
                        g.take_port(g.home[i]), keys());
  for (const auto& [a, b] : g.links) {
    const int port_a = g.take_port(a), port_b = g.take_port(b);
    text += fmt::format("  - {{between: [\"s[{}].port[{}]\", \"s[{}].port[{}]\"]{}", a, port_a, b,
                        port_b, keys());
  }
  return text;
}

}  // namespace

std::string random_fabric::netlist(bool checked) const {
  dice random(seed);
  graph g = random_graph(*this, random);
  const std::string links = links_of(*this, g, random);
  int ports = 2;
  for (const int each : g.degree) ports = std::max(ports, each);
  const routing chosen = choose_routing();
  return fmt::format(
      "heddle: 1\n"
      "name: random\n"
      "seed: {}\n"
      "routing: {{policy: {}, spread: {}, check: {}}}\n"
      "units:\n"
      "  s: {{array: {}, type: switch, ports: {}, forwarding: 10 ns}}\n"
      "  host: {{array: {}, type: packet_traffic, load: 1, packet_bytes: 200 B, order: {},\n"
      "         outstanding: {}, warmup: 0 ns, measure: {} ns, cooldown: 0 ns}}\n"
      "links:\n"
      "{}",
      seed, chosen.policy, chosen.spread, checked ? "on" : "off", switches, ports, hosts,
      sprays() ? "free" : "kept", random.one_of<int>({0, 0, 4}), packets * 2, links);
}

random_fabric::routing random_fabric::choose_routing() const {
  dice random(seed + 1'000'000);
  return {random.one_of<std::string>({"shortest", "up_down", "up_down"}),
          random.one_of<std::string>(
              {"destination", "owner", "flow", "address", "packet", "adaptive"})};
}

bool random_fabric::sprays() const {
  const std::string spread = choose_routing().spread;
  return spread == "packet" || spread == "adaptive";
}

std::string random_fabric::text() const {
  const routing chosen = choose_routing();
  return fmt::format("seed {}: {} switches, {} links more than a tree, {} hosts, {} by {}", seed,
                     switches, more_links, hosts, chosen.policy, chosen.spread);
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
