// A write over two links and a switch, explained: each category is what the data sheets say.
#include <catch2/catch.hpp>

#include "models/memory/memory.hpp"
#include "models/switch/switch.hpp"
#include "platform/explain/breakdown.hpp"
#include "platform/explain/running_cause.hpp"
#include "tests/support/memory_initiator.hpp"
#include "tests/support/test_bench.hpp"
#include "transactors/packetizer/packetizer.hpp"

using namespace heddle;

namespace {

constexpr fs_t latency = 250 * fs_per_ns, forwarding = 100 * fs_per_ns,
               memory_latency = 80 * fs_per_ns;
constexpr std::uint64_t base = 0x1000'0000, size = 1 << 20;
const bandwidth link_rate(112'500'000'000), memory_rate(4'800'000'000'000);

struct far_memory : test_bench {
  memory_initiator& core = add_stimulus<memory_initiator>("core");
  packetizer& near_ni = add<packetizer>("near", [](auto& p) { p.ports.set(1); });
  packet_switch& hub = add<packet_switch>("hub", [](auto& p) { p.forwarding.set({forwarding}); });
  packetizer& far_ni = add<packetizer>("far", [](auto& p) {
    p.ports.set(1);
    p.base.set({base});
    p.size.set({size});
  });
  memory& ram = add<memory>("ram", [](auto& p) {
    p.size.set({base + size});
    p.latency.set({memory_latency});
    p.rate.set(memory_rate);
  });
  cause why;
  breakdown path;
  fs_t taken = 0;

  explicit far_memory(const simulation_settings& settings = {}) : test_bench(settings) {
    const auto configure = [](link_parameters& p) {
      p.rate.set(link_rate);
      p.latency.set({latency});
    };
    bind(core, "bus", near_ni, "in");
    bind(add_stimulus<memory_initiator>("idle"), "bus", far_ni, "in");
    bind(far_ni, "out", ram, "in");
    link(near_ni, "port[0]", hub, "port[0]", configure);
    link(hub, "port[1]", far_ni, "port[0]", configure);
  }

  void write(std::uint32_t bytes) {
    thread([this, bytes] {
      std::vector<unsigned char> data(bytes);
      sc_core::wait(to_sc_time(fs_per_us));
      const fs_t start = now_fs();
      why = cause::start(core.site(), start);
      {
        const running_cause writing(why);
        taken = core.write(base, data.data(), bytes).done - start;
      }
      path = break_down(sim.service<explanation>(), why, start, start + taken);
    });
    run();
  }
};

// There and back: a header comes back for every packet, the last one shows.
void check_constant_parts(const far_memory& bench) {
  CHECK(bench.path.total() == bench.taken);
  CHECK(bench.path.of(category::propagation) == 4 * latency);
  CHECK(bench.path.of(category::forwarding) == 2 * forwarding);
  CHECK(bench.path.of(category::memory) == memory_latency + memory_rate.duration(128));
  CHECK(bench.path.of(category::queueing) == 0);
}

}  // namespace

TEST_CASE("a far write of a packet is its bytes on the wire, latencies and a memory access") {
  far_memory bench;
  bench.write(128);
  check_constant_parts(bench);
  CHECK(bench.path.of(category::serialization) == link_rate.duration(144) + link_rate.duration(16));
}

TEST_CASE("packets in line behind each other are serialization, not queueing") {
  far_memory bench;
  bench.write(8 * 128);
  check_constant_parts(bench);
  CHECK(bench.path.of(category::serialization) ==
        8 * link_rate.duration(144) + link_rate.duration(16));
  REQUIRE_FALSE(bench.path.longest.empty());
  CHECK(bench.path.longest[0].where == "near.port[0] -> hub.port[0]");
}

TEST_CASE("what was not begun with a cause has no explanation") {
  far_memory bench;
  bench.thread([&] {
    std::vector<unsigned char> data(128);
    bench.taken = bench.core.write(base, data.data(), 128).done;
  });
  bench.run();
  CHECK(bench.taken > 0);
  CHECK_FALSE(bench.why);
  CHECK(running_cause::now() == nullptr);
}
