// The dense allocator of a mesh router against the general one, request by request.
#include <catch2/catch.hpp>
#include <random>
#include <tuple>
#include <vector>

#include "models/mesh/router/vc_allocator.hpp"
#include "transactors/arbitration/vc_islip.hpp"

using namespace heddle;

namespace {

constexpr int ports = 5;
using match = std::tuple<int, int, int>;  // input channel, output, VC

}  // namespace

TEST_CASE("the dense allocator matches like the general one") {
  const int vcs = GENERATE(1, 2, 4, 7, 12);
  std::mt19937 random(static_cast<unsigned>(vcs));
  vc_allocator dense;
  vc_islip general(ports);
  std::array<std::uint16_t, vc_allocator::most_outputs> free{};
  std::vector<int> waiting(static_cast<std::size_t>(ports * vcs), -1);  // output, by channel
  for (int cycle = 0; cycle < 5000; ++cycle) {
    for (std::uint16_t& each : free)
      each = static_cast<std::uint16_t>((each | random()) & ((1U << vcs) - 1));
    for (int channel = 0; channel < ports * vcs; ++channel) {
      int& output = waiting[static_cast<std::size_t>(channel)];
      if (output < 0 && random() % 3 == 0) {
        output = static_cast<int>(random() % ports);
        dense.request(channel, output);
      }
      if (output >= 0) general.request({channel / vcs, channel % vcs}, output);
    }
    std::vector<match> expected, found;
    general.match([&](int output) { return std::uint32_t{free[static_cast<std::size_t>(output)]}; },
                  [&](port_vc input, port_vc taken) {
                    expected.emplace_back(input.port * vcs + input.vc, taken.port, taken.vc);
                  });
    dense.match(free, [&](int channel, int output, int vc) {
      found.emplace_back(channel, output, vc);
      waiting[static_cast<std::size_t>(channel)] = -1;
    });
    REQUIRE(found == expected);
  }
}
