// The zero-load latency of a far write is the sum of its parts, to the femtosecond.
#include <catch2/catch.hpp>

#include <fmt/format.h>

#include "models/memory/memory.hpp"
#include "models/switch/switch.hpp"
#include "tests/support/memory_initiator.hpp"
#include "tests/support/test_bench.hpp"
#include "transactors/bus/bus.hpp"
#include "transactors/fabric/fabric.hpp"
#include "transactors/packetizer/packetizer.hpp"

using namespace heddle;

namespace {

struct path_parameters {
  std::uint64_t first_rate, second_rate;  // of the links before and behind the switch
  fs_t first_latency, second_latency;
};

constexpr std::uint32_t mtu = 128, header = 16, flit = 16;
constexpr fs_t forwarding = 100 * fs_per_ns, memory_latency = 80 * fs_per_ns;
const bandwidth memory_rate(4'800'000'000'000);

// Serialization of all packets of a write on one link.
fs_t serialization(std::uint32_t bytes, const bandwidth& rate) {
  fs_t sum = bytes / mtu * rate.duration(header + mtu);
  const std::uint32_t rest = bytes % mtu;
  if (rest > 0) sum += rate.duration(header + (rest + flit - 1) / flit * flit);
  return sum;
}

// Packets follow each other without a gap at the speed of the slower link. Memory is faster than
// any link, so that only the last packet's access shows, and so does only its acknowledgement.
fs_t expected_latency(const path_parameters& path, std::uint32_t bytes) {
  const bandwidth first(path.first_rate), second(path.second_rate);
  const std::uint32_t last = bytes % mtu == 0 ? mtu : bytes % mtu;
  const fs_t one_way = path.first_latency + forwarding + path.second_latency;
  return std::max(serialization(bytes, first), serialization(bytes, second)) + one_way +
         memory_latency + memory_rate.duration(last) +
         std::max(first.duration(header), second.duration(header)) + one_way;
}

// Initiator, packetizer, link, switch, link, packetizer, bus, memory.
memory_initiator& build_path(test_bench& bench, const path_parameters& path, std::uint64_t base,
                             const std::string& name) {
  memory_initiator& core = bench.add_stimulus<memory_initiator>(name + ".core");
  packetizer& near_ni =
      bench.add<packetizer>(name + ".near", [](packetizer_parameters& p) { p.ports.set(1); });
  packetizer& far_ni = bench.add<packetizer>(name + ".far", [&](packetizer_parameters& p) {
    p.ports.set(1);
    p.base.set({base});
    p.size.set({1 << 20});
  });
  packet_switch& hub = bench.add<packet_switch>(
      name + ".hub", [](switch_parameters& p) { p.forwarding.set({forwarding}); });
  memory_bus& bus = bench.add<memory_bus>(name + ".bus");
  memory& ram = bench.add<memory>(name + ".ram", [](memory_parameters& p) {
    p.size.set({1 << 20});
    p.latency.set({memory_latency});
    p.rate.set(memory_rate);
  });
  bench.bind(core, "bus", near_ni, "in");
  bench.bind(far_ni, "out", bus, "in");
  bench.bind(bench.add_stimulus<memory_initiator>(name + ".idle_core"), "bus", far_ni, "in");
  bench.map(bus, base, 1 << 20, ram, "in");
  bench.link(near_ni, "port[0]", hub, "port[0]", [&](link_parameters& p) {
    p.rate.set(bandwidth(path.first_rate));
    p.latency.set({path.first_latency});
  });
  bench.link(hub, "port[1]", far_ni, "port[0]", [&](link_parameters& p) {
    p.rate.set(bandwidth(path.second_rate));
    p.latency.set({path.second_latency});
  });
  return core;
}

}  // namespace

TEST_CASE("the latency of a far write is the sum of its parts") {
  const std::vector<path_parameters> paths = {
      {112'500'000'000, 112'500'000'000, 250 * fs_per_ns, 250 * fs_per_ns},
      {112'500'000'000, 450'000'000'000, 250 * fs_per_ns, 30 * fs_per_ns},
      {450'000'000'000, 50'000'000'000, 7 * fs_per_ns, 500 * fs_per_ns},
      {25'000'000'000, 25'000'000'001, 1, 2}};
  const std::vector<std::uint32_t> sizes = {1, 8, 16, 17, 128, 129, 200, 1024, 4096};
  simulation_settings settings;
  settings.has_monitors = true;
  test_bench bench(settings);
  routing_choice islands;  // the paths have nothing in common
  islands.is_checked = false;
  bench.sim.service<fabric>().set_routing(islands);
  std::vector<std::vector<fs_t>> measured(paths.size());
  std::vector<unsigned char> data(4096, 0x5a);
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const std::uint64_t base = (i + 1) << 32;
    memory_initiator& core = build_path(bench, paths[i], base, fmt::format("path[{}]", i));
    bench.thread([&, i, base] {
      for (const std::uint32_t bytes : sizes) {
        const fs_t start = now_fs();
        measured[i].push_back(core.write(base, data.data(), bytes).done - start);
        sc_core::wait(to_sc_time(fs_per_us));  // the network is empty again
      }
    });
  }
  bench.run();
  for (std::size_t i = 0; i < paths.size(); ++i) {
    REQUIRE(measured[i].size() == sizes.size());
    for (std::size_t n = 0; n < sizes.size(); ++n) {
      INFO("path " << i << ", " << sizes[n] << " B");
      CHECK(measured[i][n] == expected_latency(paths[i], sizes[n]));
    }
  }
  CHECK(bench.failures().empty());
}
