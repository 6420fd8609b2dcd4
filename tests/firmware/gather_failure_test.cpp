// What firmware does with commands of a NIC that fail: it repeats them, and when it gives up it
// stops all units and says why.
#include <catch2/catch.hpp>

#include "drivers/rig.h"
#include "kernels/gather.h"
#include "regs/rig_regs.h"
#include "tests/firmware/register_hal.hpp"

using heddle::test::fresh_hardware;
using heddle::test::hardware;

namespace {

constexpr std::uint64_t base = 0x40000;
constexpr std::uint32_t failed_by_watchdog =
    RIG_UNIT_STATUS_STATE_FAILED | RIG_UNIT_STATUS_ERROR_TIMEOUT << RIG_UNIT_STATUS_ERROR_POS;

std::uint64_t interrupts_of_failed(unsigned unit) {
  return std::uint64_t{1} << (32 + unit);
}

// Units 0 to 3 are clients, and all but unit 2 are at work.
gather with_failed_unit(unsigned unit, std::uint32_t tries) {
  fresh_hardware();
  gather of{};
  of.nic.registers = base;
  of.nic.clients = 0xf;
  of.idle = 0x4;
  of.tries[unit] = tries;
  of.batch[unit] = 5;
  of.job.batch = 64;
  of.job.nonzeros = 1000;
  of.job.watchdog_ns = 1000;
  hardware().words[base + RIG_IRQ_STATUS] = interrupts_of_failed(unit);
  hardware().words[base + RIG_UNIT_STATUS(unit)] = failed_by_watchdog;
  return of;
}

std::uint32_t units_reset() {
  std::uint32_t units = 0;
  for (const auto& [address, value] : hardware().writes)
    for (unsigned unit = 0; unit < RIG_MOST_UNITS; ++unit)
      if (address == base + RIG_UNIT_CONTROL(unit) && value == RIG_UNIT_CONTROL_RESET_MASK)
        units |= 1U << unit;
  return units;
}

std::uint32_t units_rung() {
  std::uint32_t units = 0;
  for (const auto& [address, value] : hardware().writes)
    for (unsigned unit = 0; unit < RIG_MOST_UNITS; ++unit)
      if (address == base + RIG_UNIT_DOORBELL(unit)) units |= 1U << unit;
  return units;
}

}  // namespace

TEST_CASE("a command that fails is repeated by its unit, and the log says nothing yet") {
  gather of = with_failed_unit(1, GATHER_MOST_TRIES - 1);
  std::uint32_t completed = 0;
  CHECK(gather_next_done(&of, &completed) == STATUS_OK);
  CHECK(completed == 0);
  CHECK(of.repeated == 1);
  CHECK(units_reset() == 0x2);
  CHECK(units_rung() == 0x2);
  CHECK(hardware().logs.empty());
}

TEST_CASE("a gather that gives up stops all units that are at work, and logs one line") {
  gather of = with_failed_unit(1, GATHER_MOST_TRIES);
  std::uint32_t completed = 0;
  CHECK(gather_next_done(&of, &completed) == STATUS_GATHER_ERROR);
  CHECK(units_reset() == 0xb);
  CHECK(units_rung() == 0);
  CHECK(of.idle == of.nic.clients);
  REQUIRE(hardware().logs.size() == 1);
  CHECK(
      hardware().logs[0].first ==
      "gather error TIMEOUT: 9 tries took longer than the `watchdog` of 1000 ns, set a longer one "
      "or a smaller `batch`, batch:");
  CHECK(hardware().logs[0].second == 5);
}

TEST_CASE("the longest watchdog has room in the log") {
  gather of = with_failed_unit(1, GATHER_MOST_TRIES);
  std::uint32_t completed = 0;
  of.job.watchdog_ns = UINT32_MAX;
  CHECK(gather_next_done(&of, &completed) == STATUS_GATHER_ERROR);
  REQUIRE(hardware().logs.size() == 1);
  CHECK(hardware().logs[0].first.find("`watchdog` of 4294967295 ns, ") != std::string::npos);
  CHECK(hardware().logs[0].first.size() < 128);
}

TEST_CASE("units that are stopped leave no interrupt behind") {
  fresh_hardware();
  rig nic{};
  nic.registers = base;
  nic.clients = 0xf;
  hardware().on_write = [](std::uint64_t address) {
    if (address == base + RIG_UNIT_CONTROL(3))  // the other one has completed meanwhile
      hardware().words[base + RIG_IRQ_STATUS] = 1;
  };
  rig_stop(&nic, 0x9);
  CHECK(units_reset() == 0x9);
  CHECK(hardware().fences == 1);
  CHECK(hardware().writes.back() == std::pair{base + RIG_IRQ_STATUS, std::uint64_t{1}});
}
