// The switches and links of a random network, before they become a netlist.
#pragma once

#include <random>
#include <utility>
#include <vector>

namespace heddle {

class dice {
 public:
  explicit dice(std::uint64_t seed) : engine_(seed) {}
  int below(int limit) { return static_cast<int>(engine_() % static_cast<unsigned>(limit)); }
  bool is_one_in(int times) { return below(times) == 0; }
  template <class T>
  T one_of(const std::vector<T>& choices) {
    return choices[below(static_cast<int>(choices.size()))];
  }

 private:
  std::mt19937_64 engine_;
};

enum class network_form { graph, grid, dragonfly };

struct random_network {
  struct end {
    int at;
    int port;
  };
  // A way out of a switch.
  struct way {
    int port;
    int to;
  };

  network_form form = network_form::graph;
  std::vector<int> sides;  // of a grid
  int groups = 1;          // of a dragonfly
  std::vector<std::pair<end, end>> links;
  std::vector<end> homes;              // of the hosts
  std::vector<std::vector<way>> ways;  // by switch
  int most_ports = 2;

  int switches() const { return static_cast<int>(ways.size()); }
  // Hops from each switch to that one.
  std::vector<int> distances_to(int home) const;
};

random_network make_network(dice& random, int switches, int more_links, int hosts);

// Next hops towards one switch, by switch: ports that a table lists. Now and then one of them is a
// detour, and then they may lead in a loop.
using next_hops = std::vector<std::vector<random_network::way>>;
next_hops make_table(dice& random, const random_network& net, int home, bool has_detours);
bool has_loop(const next_hops& table);

}  // namespace heddle
