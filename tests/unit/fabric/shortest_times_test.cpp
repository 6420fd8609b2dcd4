// How long hops take, and the shortest times over several.
#include "transactors/fabric/shortest_times.hpp"

#include <catch2/catch.hpp>

#include "models/switch/hop_time.hpp"
#include "tests/unit/fabric/switch_graph.hpp"

using namespace heddle;

TEST_CASE("the fastest way counts, not that of the fewest hops") {
  switch_graph g;
  g.add_switches("s", 4);
  const auto join = [&](int a, int b, fs_t latency) {
    const std::string port_a = "port[" + std::to_string(b) + "]";
    const std::string port_b = "port[" + std::to_string(a) + "]";
    g.link(*g.switches[a], port_a, *g.switches[b], port_b,
           [&](link_parameters& p) { p.latency.set(duration{latency}); });
  };
  join(0, 1, 100 * fs_per_ns);
  join(1, 2, 100 * fs_per_ns);
  join(0, 2, 700 * fs_per_ns);
  const fs_t forwarding = g.switches[0]->forwarding();
  CHECK(forwarding_of(*g.switches[0]) == forwarding);
  CHECK(hop_time_of(g.switches[0]->port_at(2)) == 700 * fs_per_ns + forwarding);
  shortest_times ways;
  for (packet_switch* const each : g.switches)
    for (int i = 0; i < each->port_count(); ++i) {
      const packet_port& out = each->port_at(i);
      if (out.peer()) ways.add_hop(*each, out.peer()->owner(), hop_time_of(out));
    }
  const times_by_unit times = ways.from(*g.switches[0]);
  CHECK(times.at(g.switches[0]) == 0);
  CHECK(times.at(g.switches[2]) == 2 * (100 * fs_per_ns + forwarding));
  CHECK(times.count(g.switches[3]) == 0);  // no link leads there
}
