// Two packetizers joined by direct links, without a switch: `near` initiates, `far` serves 1 GiB
// from 4 GiB on with a target whose answers the test decides. Links carry 1 B/ps. `far_core` is
// there for tests in which `near` serves something, too.
#pragma once

#include "tests/support/memory_initiator.hpp"
#include "tests/support/memory_target.hpp"
#include "tests/support/test_bench.hpp"
#include "transactors/packetizer/packetizer.hpp"

namespace heddle {

struct fabric_pair : test_bench {
  static constexpr std::uint64_t base = 4ULL << 30;
  static constexpr fs_t latency = 10 * fs_per_ns;

  packetizer* near_ni = nullptr;
  packetizer* far_ni = nullptr;
  memory_initiator& core = add_stimulus<memory_initiator>("core");
  memory_initiator& far_core = add_stimulus<memory_initiator>("far_core");
  memory_target& ram = add_stimulus<memory_target>("ram");
  std::vector<unsigned char> data = std::vector<unsigned char>(64 * 1024);

  explicit fabric_pair(const std::function<void(packetizer_parameters&)>& configure = {},
                       int planes = 1, fs_t extra_latency = 0, std::uint32_t train = 1,
                       bool has_monitors = true)
      : test_bench(settings_of(train, has_monitors)) {
    const auto common = [&](packetizer_parameters& p) {
      p.ports.set(static_cast<std::uint64_t>(planes));
      if (configure) configure(p);
    };
    near_ni = &add<packetizer>("near", common);
    far_ni = &add<packetizer>("far", [&](packetizer_parameters& p) {
      common(p);
      p.base.set({base});
      p.size.set({1 << 30});
    });
    bind(core, "bus", *near_ni, "in");
    bind(*far_ni, "out", ram, "in");
    bind(far_core, "bus", *far_ni, "in");
    for (int i = 0; i < planes; ++i) {
      const std::string port = "port[" + std::to_string(i) + "]";
      link(*near_ni, port, *far_ni, port, [&](link_parameters& p) {
        p.rate.set(bandwidth(1'000'000'000'000));
        p.latency.set({latency + static_cast<fs_t>(i) * extra_latency});
      });
    }
    ram.latency = 100 * fs_per_ns;
    for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<unsigned char>(i * 7 + 1);
  }

  const packet_port& port_of(const packetizer& owner, int plane) const {
    const port* found = owner.find_port("port[" + std::to_string(plane) + "]");
    return *dynamic_cast<const packet_port*>(found);
  }

 private:
  static simulation_settings settings_of(std::uint32_t train, bool has_monitors) {
    simulation_settings settings;
    settings.train = train;
    settings.has_monitors = has_monitors;  // off where a test breaks their rules
    return settings;
  }
};

}  // namespace heddle
