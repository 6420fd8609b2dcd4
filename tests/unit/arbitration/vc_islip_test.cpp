#include "transactors/arbitration/vc_islip.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

#include "tests/unit/arbitration/naive_islip.hpp"

using heddle::naive_islip;
using heddle::port_vc;
using heddle::vc_islip;
using heddle::vc_set;

TEST_CASE("a set of virtual channels is searched cyclically") {
  vc_set set;
  CHECK(set.empty());
  set.insert({2, 3});
  set.insert({63, 15});
  const auto first = [&](int port, int vc) {
    const port_vc found = set.first_from({port, vc});
    return found.port * 16 + found.vc;
  };
  CHECK(first(0, 0) == 2 * 16 + 3);
  CHECK(first(2, 3) == 2 * 16 + 3);
  CHECK(first(2, 4) == 63 * 16 + 15);
  CHECK(first(63, 16) == 2 * 16 + 3);
  set.clear();
  CHECK(set.empty());
}

TEST_CASE("virtual channels are matched like the plain formulation") {
  const int ports = GENERATE(1, 5, 8, 64);
  const int vcs = GENERATE(1, 2, 4, 16);
  const int channels = ports * vcs;
  std::mt19937 random(static_cast<unsigned>(channels));
  vc_islip fast(ports);
  naive_islip plain(channels, channels);
  const int cycles = channels > 256 ? 20 : 200;
  for (int cycle = 0; cycle < cycles; ++cycle) {
    std::vector<std::uint32_t> free(ports);
    for (auto& mask : free) mask = static_cast<std::uint32_t>(random()) & ((1U << vcs) - 1);
    for (int requester = 0; requester < channels; ++requester) {
      if (random() % 2) continue;
      const int output = static_cast<int>(random() % ports);
      fast.request({requester / vcs, requester % vcs}, output);
      for (int vc = 0; vc < vcs; ++vc)
        plain.asks[requester][output * vcs + vc] = (free[output] >> vc & 1) != 0;
    }
    std::vector<naive_islip::pair> matches;
    const bool is_any = fast.match(
        [&](int output) { return free[output]; },
        [&](port_vc requester, port_vc taken) {
          matches.push_back({requester.port * vcs + requester.vc, taken.port * vcs + taken.vc});
        });
    CHECK(is_any == !matches.empty());
    std::sort(matches.begin(), matches.end(),
              [](const auto& a, const auto& b) { return a.requester < b.requester; });
    REQUIRE(matches == plain.match());
  }
}
