#include "transactors/flit/shortest_flit_ways.hpp"

#include <algorithm>
#include <deque>

namespace heddle {
namespace {

constexpr std::uint32_t unreached = UINT32_MAX;

// Hops to the nearest of `from`, by switch.
std::vector<std::uint32_t> distances(const std::vector<std::vector<int>>& behind,
                                     const std::vector<int>& from) {
  std::vector<std::uint32_t> hops(behind.size(), unreached);
  std::deque<int> frontier(from.begin(), from.end());
  for (const int each : from) hops[each] = 0;
  for (; !frontier.empty(); frontier.pop_front()) {
    const int here = frontier.front();
    for (const int next : behind[here]) {
      if (next == shortest_flit_ways::no_switch || hops[next] != unreached) continue;
      hops[next] = hops[here] + 1;
      frontier.push_back(next);
    }
  }
  return hops;
}

}  // namespace

// Hops to the nearest terminal, by switch.
std::vector<std::uint32_t> shortest_flit_ways::tiers() const {
  std::vector<int> homes;
  for (const auto& [home, terminals] : at_home_) homes.push_back(home);
  return distances(behind_, homes);
}

// By switch, the ports that lead nearer to that one.
std::vector<shortest_flit_ways::ports> shortest_flit_ways::nearer_to(int home) const {
  const std::vector<std::uint32_t> hops = distances(behind_, {home});
  std::vector<ports> found(behind_.size());
  for (std::size_t at = 0; at < behind_.size(); ++at)
    for (std::size_t port = 0; port < behind_[at].size(); ++port) {
      const int next = behind_[at][port];
      if (next == no_switch || hops[next] == unreached || hops[next] + 1 != hops[at]) continue;
      found[at].push_back(static_cast<int>(port));
    }
  return found;
}

// By tier: a number divided by this has the digit of the tier at its end. A tier takes as many
// values as one of its switches has equal ways at most.
std::vector<std::uint64_t> shortest_flit_ways::divisors(
    const std::vector<std::uint32_t>& tier) const {
  std::vector<std::uint64_t> most;
  for (const auto& [home, terminals] : at_home_) {
    const std::vector<ports> nearer = nearer_to(home);
    for (std::size_t at = 0; at < nearer.size(); ++at) {
      if (nearer[at].empty()) continue;
      if (most.size() <= tier[at]) most.resize(tier[at] + 1, 1);
      most[tier[at]] = std::max<std::uint64_t>(most[tier[at]], nearer[at].size());
    }
  }
  constexpr std::uint64_t enough = 1U << 24;
  std::uint64_t product = 1;
  for (std::uint64_t& each : most) {
    const std::uint64_t values = each;
    each = product;
    product = std::min(product * values, enough);
  }
  return most;
}

void shortest_flit_ways::find(const way_use& use) const {
  const std::vector<std::uint32_t> tier = tiers();
  const std::vector<std::uint64_t> divisor = divisors(tier);
  for (const auto& [home, terminals] : at_home_) {
    const std::vector<ports> nearer = nearer_to(home);
    for (const terminal& each : terminals) use(home, each.number, each.port);
    for (std::size_t at = 0; at < nearer.size(); ++at) {
      if (nearer[at].empty()) continue;
      for (const terminal& to : terminals) {
        const std::uint64_t digit = static_cast<std::uint64_t>(to.number) / divisor[tier[at]];
        use(static_cast<int>(at), to.number, nearer[at][digit % nearer[at].size()]);
      }
    }
  }
}

}  // namespace heddle
