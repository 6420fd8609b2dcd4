// Shortest ways over switches of flits to their terminals, one for each terminal. Where several
// ports lead there equally fast, the number of the terminal chooses one: terminals that follow each
// other take turns. Each tier of switches, counted from the terminals, looks at another digit of
// the number, so that what a switch spread is spread again by the next.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

namespace heddle {

class shortest_flit_ways {
 public:
  static constexpr int no_switch = -1;

  // By switch and port: the switch behind it, or no_switch.
  explicit shortest_flit_ways(std::vector<std::vector<int>> behind) : behind_(std::move(behind)) {}
  // It takes what leaves the switch `home` by that port.
  void add_terminal(int number, int home, int port) { at_home_[home].push_back({number, port}); }

  // Calls use(switch, terminal, port) for all pairs of which one reaches the other.
  using way_use = std::function<void(int, int, int)>;
  void find(const way_use& use) const;

 private:
  struct terminal {
    int number, port;
  };
  using ports = std::vector<int>;  // in ascending order

  std::vector<std::uint32_t> tiers() const;
  std::vector<ports> nearer_to(int home) const;
  std::vector<std::uint64_t> divisors(const std::vector<std::uint32_t>& tier) const;

  std::vector<std::vector<int>> behind_;
  std::map<int, std::vector<terminal>> at_home_;
};

}  // namespace heddle
