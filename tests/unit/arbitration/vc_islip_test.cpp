#include "transactors/arbitration/vc_islip.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

#include "tests/unit/arbitration/naive_islip.hpp"
#include "transactors/arbitration/word_set.hpp"

using namespace heddle;

namespace {

// `number(port, vc)` is how the allocator numbers a channel. Channels ask until they are granted.
template <class Allocator, class Number>
void check_like_the_plain_one(Allocator& fast, int ports, int vcs, Number number) {
  const int channels = ports * vcs;
  std::mt19937 random(static_cast<unsigned>(channels));
  naive_islip plain(channels, channels);
  std::vector<int> waiting(static_cast<std::size_t>(channels), -1);  // output, by channel
  std::vector<std::uint16_t> free(static_cast<std::size_t>(ports));
  struct taken {
    int output = -1, vc = 0;
  };
  std::vector<taken> latest(1024);  // by number
  std::vector<int> wanted(1024);    // output, by number
  const int cycles = channels > 256 ? 20 : 500;
  for (int cycle = 0; cycle < cycles; ++cycle) {
    for (auto& mask : free)
      mask = static_cast<std::uint16_t>((mask | random()) & ((1U << vcs) - 1) & random());
    for (int channel = 0; channel < channels; ++channel) {
      int& output = waiting[channel];
      if (output < 0 && random() % 2 == 0) {
        output = static_cast<int>(random() % static_cast<unsigned>(ports));
        const int asking = number(channel / vcs, channel % vcs);
        fast.request(asking, output);
        wanted[asking] = output;
      }
      if (output < 0) continue;
      for (int vc = 0; vc < vcs; ++vc)
        plain.asks[channel][output * vcs + vc] = (free[output] >> vc & 1) != 0;
    }
    const std::vector<naive_islip::pair> expected = plain.match();
    const std::vector<std::uint16_t> before = free;
    std::vector<naive_islip::pair> matches;
    const auto pointer = [&](int asking) {
      return latest[asking].output == wanted[asking] ? (latest[asking].vc + 1) % 16 : 0;
    };
    const bool is_any =
        fast.match([&](int output) -> std::uint16_t& { return free[output]; }, pointer,
                   [&](int granted, int output, int vc) {
                     int channel = 0;
                     while (number(channel / vcs, channel % vcs) != granted) ++channel;
                     CHECK((before[output] >> vc & 1) == 1);
                     CHECK((free[output] >> vc & 1) == 0);
                     CHECK(waiting[channel] == output);
                     waiting[channel] = -1;
                     latest[granted] = {output, vc};
                     matches.push_back({channel, output * vcs + vc});
                   });
    CHECK(is_any == !matches.empty());
    std::sort(matches.begin(), matches.end(),
              [](const auto& a, const auto& b) { return a.requester < b.requester; });
    REQUIRE(matches == expected);
  }
}

}  // namespace

TEST_CASE("virtual channels of a switch are matched like the plain formulation") {
  const int ports = GENERATE(1, 5, 8, 64);
  const int vcs = GENERATE(1, 2, 4, 16);
  vc_islip<word_set<wide_word<16>>, word_set<wide_word<2>>, 1024, 128> fast;
  check_like_the_plain_one(fast, ports, vcs, [](int port, int vc) { return port * 16 + vc; });
}

TEST_CASE("virtual channels of a small router are matched like the plain formulation") {
  const int vcs = GENERATE(1, 2, 4, 7, 12);
  vc_islip<word_set<std::uint64_t>, word_set<std::uint8_t>, 64, 8> fast;
  check_like_the_plain_one(fast, 5, vcs, [vcs](int port, int vc) { return port * vcs + vc; });
}
