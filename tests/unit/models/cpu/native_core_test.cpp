// What each call of the firmware costs, to the femtosecond.
#include "models/cpu/native_core.hpp"

#include <catch2/catch.hpp>

#include <cstring>
#include <functional>

#include "platform/firmware/firmware_registry.hpp"
#include "sw/hal/hal.h"
#include "tests/support/memory_target.hpp"
#include "tests/support/test_bench.hpp"

using namespace heddle;

namespace {

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

constexpr fs_t call = 5 * fs_per_ns, access = 20 * fs_per_ns, store = 2 * fs_per_ns,
               memory_time = 100 * fs_per_ns;

// The firmware of the test that runs; a core takes no other parameters than a name.
std::function<void()> body;
int firmware() {
  body();
  return 0;
}
const bool is_registered = [] {
  firmware_registry::instance().add("test", &firmware);
  return true;
}();

struct core_bench : test_bench {
  memory_target& ram = add_stimulus<memory_target>("ram");
  native_core& core;
  std::vector<fs_t> stamps;

  explicit core_bench(const std::function<void(native_core_parameters&)>& configure = {})
      : core(add<native_core>("core", [&](native_core_parameters& p) {
          p.firmware.set("test");
          if (configure) configure(p);
        })) {
    bind(core, "bus", ram, "in");
    ram.latency = memory_time;
  }
  void run_firmware(const std::function<void()>& text) {
    body = text;
    run();
  }
  void stamp() { stamps.push_back(now_fs()); }
};

using times = std::vector<fs_t>;

}  // namespace

TEST_CASE("a load costs the call, the way to the bus and the target") {
  core_bench bench;
  bench.run_firmware([&] {
    hal_read32(0x10);
    bench.stamp();
    hal_read64(0x10);
    bench.stamp();
  });
  const fs_t load = call + access + memory_time;
  CHECK(bench.stamps == times{load, 2 * load});
  CHECK(bench.ram.accesses.at(0).when == call + access);
  CHECK(bench.ram.accesses.at(0).bytes == 4);
  CHECK(bench.ram.accesses.at(1).bytes == 8);
  CHECK(bench.failures().empty());
}

TEST_CASE("a load from a target that waits costs the wait once") {
  core_bench bench;
  bench.ram.on_blocking = [](tlm::tlm_generic_payload& p, sc_core::sc_time& delay) {
    sc_core::wait(delay);
    sc_core::wait(to_sc_time(300 * fs_per_ns));
    delay = to_sc_time(7);
    p.set_response_status(tlm::TLM_OK_RESPONSE);
  };
  bench.run_firmware([&] {
    hal_read32(0x10);
    bench.stamp();
  });
  CHECK(bench.stamps == times{call + access + 300 * fs_per_ns + 7});
}

TEST_CASE("stores are posted and a fence waits for the last of them") {
  core_bench bench;
  bench.run_firmware([&] {
    hal_write32(0x10, 1);
    bench.stamp();
    hal_write64(0x18, 2);
    bench.stamp();
    hal_fence();
    bench.stamp();
    hal_fence();
    bench.stamp();
  });
  CHECK(bench.stamps == times{call + store, 2 * (call + store), 2 * (call + store) + memory_time,
                              2 * (call + store) + memory_time + call});
}

TEST_CASE("an atomic add costs as much as a load") {
  core_bench bench;
  bench.run_firmware([&] {
    hal_atomic_add64(0x10, 1);
    bench.stamp();
  });
  CHECK(bench.stamps == times{call + access + memory_time});
}

TEST_CASE("within the quantum the core runs ahead and the bus sees the same times") {
  core_bench bench([](native_core_parameters& p) { p.quantum.set({fs_per_us}); });
  bench.run_firmware([&] {
    for (int i = 0; i < 9; ++i) {
      hal_read32(0x10);
      bench.stamp();
    }
  });
  const fs_t load = call + access + memory_time;
  REQUIRE(bench.ram.accesses.size() == 9);
  for (fs_t i = 0; i < 9; ++i) CHECK(bench.ram.accesses[i].when == i * load + call + access);
  CHECK(bench.stamps[0] == 0);
  CHECK(bench.stamps[7] == 8 * load);  // 1 us: time to synchronize
}

TEST_CASE("a sleeping core wakes with the interrupt") {
  core_bench bench;
  auto* line = dynamic_cast<interrupt_input_port*>(bench.core.find_port("irq[0]"));
  bench.at(fs_per_us, [&] { line->set(true); });
  bench.run_firmware([&] {
    hal_wait_for_interrupt();
    bench.stamp();
    hal_wait_for_interrupt();  // still up
    bench.stamp();
  });
  CHECK(bench.stamps == times{fs_per_us, fs_per_us + call});
}

TEST_CASE("a poll costs a load a try and ends with the first that it likes") {
  core_bench bench;
  std::uint32_t value = 0;
  bench.ram.on_blocking = [&](tlm::tlm_generic_payload& p, sc_core::sc_time& delay) {
    delay += to_sc_time(memory_time);
    ++value;
    std::memcpy(p.get_data_ptr(), &value, 4);
    p.set_response_status(tlm::TLM_OK_RESPONSE);
  };
  int got = 9;
  bench.run_firmware([&] {
    got = hal_poll_reached32(0x10, 4, 0);
    bench.stamp();
  });
  CHECK(got == 0);
  CHECK(bench.stamps == times{4 * (call + access + memory_time)});
  CHECK(bench.core.statistics()->all()[2]->raw() == 4);                // polls
  CHECK(bench.core.statistics()->all()[3]->raw() == bench.stamps[0]);  // poll_time
}

TEST_CASE("a poll gives up with the first try that ends after the time-out") {
  core_bench bench;
  int got = 9;
  bench.run_firmware([&] {
    got = hal_poll_equal32(0x10, 1, 1, 300);
    bench.stamp();
  });
  CHECK(got == HAL_TIMEOUT);
  CHECK(bench.stamps == times{3 * (call + access + memory_time)});
  CHECK(bench.failures().empty());
}

TEST_CASE("a poll without end is a hang that says what it waits for") {
  core_bench bench([](native_core_parameters& p) { p.poll_limit.set({fs_per_us}); });
  bench.run_firmware([&] { hal_poll_equal32(0x10, 1, 1, 0); });
  REQUIRE(bench.failures().size() == 1);
  // Where the firmware is follows on a line of its own.
  CHECK(first_line(bench.failures()[0]) ==
        "core: hang: polls 0x10 to equal 0x1, since 0 s (now 0x0), longer than poll_limit: 1 us "
        "(raise it where a device is only slow)");
}

TEST_CASE("an access that nobody answers stops the core") {
  core_bench bench;
  bench.ram.on_blocking = [](tlm::tlm_generic_payload& p, sc_core::sc_time&) {
    p.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
  };
  bench.run_firmware([&] {
    hal_write32(0x44, 1);
    bench.stamp();
  });
  REQUIRE(bench.failures().size() == 1);
  CHECK(first_line(bench.failures()[0]) ==
        "core: bus error: write of 4 bytes at 0x44 at 7 ns: TLM_ADDRESS_ERROR_RESPONSE");
  CHECK(bench.stamps.empty());
}
