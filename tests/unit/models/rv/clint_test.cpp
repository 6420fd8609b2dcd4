// Timer and software interrupts at exact times.
#include "models/clint/clint.hpp"

#include <catch2/catch.hpp>

#include "platform/debug/monitor_commands.hpp"
#include "tests/support/interrupt_recorder.hpp"
#include "tests/support/memory_initiator.hpp"
#include "tests/support/test_bench.hpp"

using namespace heddle;

namespace {

constexpr std::uint64_t mtime = clint_regs::mtime_offset;
constexpr fs_t us = fs_per_us;

struct clint_bench : test_bench {
  clint& unit;
  memory_initiator& core = add_stimulus<memory_initiator>("core");
  interrupt_recorder& timer = add_stimulus<interrupt_recorder>("timer");
  interrupt_recorder& software = add_stimulus<interrupt_recorder>("software");

  explicit clint_bench(duration tick = {fs_per_ns})
      : unit(add<clint>("clint", [&](clint_parameters& p) {
          p.harts.set(2);
          p.tick.set(tick);
        })) {
    bind(core, "bus", unit, "registers");
    bind(unit, "timer[1]", timer, "irq");
    bind(unit, "software[1]", software, "irq");
  }
  void compare(std::uint64_t value) { write64(clint_regs::timer_mtimecmp_offset(1), value); }
  void write64(std::uint64_t at, std::uint64_t value) {
    REQUIRE(core.write(at, &value, sizeof value).status == tlm::TLM_OK_RESPONSE);
  }
  std::uint64_t time() { return read<std::uint64_t>(mtime); }
  template <class T>
  T read(std::uint64_t at) {
    T value = 0;
    REQUIRE(core.read(at, &value, sizeof value).status == tlm::TLM_OK_RESPONSE);
    return value;
  }
  template <class T>
  T found_at(std::uint64_t at) {  // by software that writes ones
    T value = static_cast<T>(~T{0});
    REQUIRE(core.write(at, &value, sizeof value).status == tlm::TLM_OK_RESPONSE);
    return read<T>(at);
  }
};

using changes = std::vector<std::pair<fs_t, bool>>;

}  // namespace

TEST_CASE("the timer is up from the tick that is compared with") {
  clint_bench bench({10 * fs_per_ns});
  bench.at(us, [&] { bench.compare(150); });
  bench.at(2 * us, [&] { bench.compare(300); });
  bench.run();
  CHECK(bench.timer.changes == changes{{us + us / 2, true}, {2 * us, false}, {3 * us, true}});
}

TEST_CASE("a compare value that is moved away is not reached") {
  clint_bench bench;
  bench.at(0, [&] { bench.compare(500); });
  bench.at(100 * fs_per_ns, [&] { bench.compare(2000); });
  bench.at(3 * us, [&] { bench.compare(UINT64_MAX); });
  bench.run();
  CHECK(bench.timer.changes == changes{{2 * us, true}, {3 * us, false}});
}

TEST_CASE("time that is set moves the timers") {
  clint_bench bench;
  std::uint64_t seen = 0;
  bench.at(0, [&] { bench.compare(10'000); });
  bench.at(us, [&] { bench.write64(mtime, 9'000); });
  bench.at(us + 250 * fs_per_ns, [&] { seen = bench.time(); });
  bench.run();
  CHECK(seen == 9'250);
  CHECK(bench.timer.changes == changes{{2 * us, true}});
}

TEST_CASE("time that is set back is counted anew") {
  clint_bench bench;
  bench.at(0, [&] { bench.compare(500); });
  bench.at(us, [&] { bench.write64(mtime, 0); });
  bench.run();
  CHECK(bench.timer.changes == changes{{us / 2, true}, {us, false}, {us + us / 2, true}});
}

TEMPLATE_TEST_CASE_SIG("a compare value that time never reaches is not waited for", "",
                       ((std::uint64_t compared), compared), UINT64_MAX, UINT64_MAX - 500) {
  clint_bench bench;
  bench.at(us, [&] {
    bench.compare(compared);
    bench.write64(mtime, 0);
  });
  bench.run();
  CHECK(bench.timer.changes.empty());
}

TEST_CASE("a software interrupt follows its bit") {
  clint_bench bench;
  const auto set = [&](std::uint32_t value) {
    bench.core.write(clint_regs::software_msip_offset(1), &value, sizeof value);
  };
  bench.at(us, [&] { set(1); });
  bench.at(2 * us, [&] { set(0xfffffffe); });
  bench.run();
  CHECK(bench.software.changes == changes{{us, true}, {2 * us, false}});
}

TEST_CASE("registers of harts that the unit does not have read as zero and ignore writes") {
  clint_bench bench;
  bench.at(us, [&] {
    for (std::size_t i = 0; i < clint_regs::software_count; ++i) {
      INFO("hart " << i);
      const std::uint64_t software = clint_regs::software_msip_offset(i);
      const std::uint64_t timer = clint_regs::timer_mtimecmp_offset(i);
      CHECK(bench.read<std::uint64_t>(timer) == (i < 2 ? UINT64_MAX : 0));
      CHECK(bench.found_at<std::uint32_t>(software) == (i < 2 ? 1 : 0));
      CHECK(bench.found_at<std::uint64_t>(timer) == (i < 2 ? UINT64_MAX : 0));
      CHECK(bench.found_at<std::uint32_t>(timer + 4) == (i < 2 ? UINT32_MAX : 0));
    }
  });
  bench.run();
  CHECK(bench.timer.changes.empty());
  CHECK(bench.software.changes == changes{{us, true}});
}

TEST_CASE("debuggers are told of the registers of harts that there are") {
  clint_bench bench;
  const std::string told = run_monitor_command(bench.sim, "registers clint");
  CHECK_THAT(told, Catch::Contains("software[1].msip = 0x0") &&
                       Catch::Contains("timer[1].mtimecmp = ") && Catch::Contains(" mtime = "));
  CHECK_THAT(told, !Catch::Contains("[2]"));
  CHECK(run_monitor_command(bench.sim, "registers clint timer[2]*") ==
        "clint has no register 'timer[2]*'\n");
}
