// A core that sleeps through its polls of a register which synchronizes its readers sees what one
// that polls does, at the same instants. It sleeps where a poll arrives when it leaves.
#include <catch2/catch.hpp>

#include "models/cpu/native_core.hpp"
#include "models/dma/dma_regs.hpp"
#include "platform/firmware/firmware_registry.hpp"
#include "platform/poll/poll_question.hpp"
#include "sw/hal/hal.h"
#include "tests/support/memory_initiator.hpp"
#include "tests/support/test_bench.hpp"
#include "transactors/bus/bus.hpp"
#include "transactors/memory/access.hpp"
#include "transactors/memory/register_socket.hpp"

using namespace heddle;

namespace {

constexpr std::uint64_t completed = 0x110;  // of channel 0
constexpr std::uint32_t jobs = 40;

// Registers of a DMA engine that completes a descriptor when the test says so.
class register_holder final : public unit {
 public:
  explicit register_holder(const unit_context& context)
      : unit(context), regs_(context), socket_(*this, "registers", regs_) {}

  void complete(std::uint32_t count) { regs_.channel[0].completed.set(count); }

 private:
  dma_registers regs_;
  register_socket socket_;
};

struct system_part {
  system_part(test_bench& bench, const std::string& name, fs_t latency)
      : bus(bench.add<memory_bus>(name + "_bus",
                                  [&](bus_parameters& p) { p.latency.set({latency}); })),
        device(bench.add_stimulus<register_holder>(name + "_device")),
        core(bench.add<native_core>(name + "_core", [](native_core_parameters& p) {
          p.firmware.set("poll_register");
          p.call_cost.set({0});
          p.access_cost.set({3 * fs_per_ns});
        })) {
    bench.map(bus, 0, 0x1000, device, "registers");
    bench.bind(core, "bus", bus, "in");
  }
  memory_bus& bus;
  register_holder& device;
  native_core& core;
  std::vector<fs_t> stamps;
};

std::vector<system_part*> starting;
std::size_t started = 0;
int firmware() {
  system_part& part = *starting[started++];
  for (std::uint32_t count = 1; count <= jobs; ++count) {
    if (hal_poll_reached32(completed, count, 0) != 0) return 1;
    part.stamps.push_back(now_fs());
  }
  return 0;
}
const bool is_registered = [] {
  firmware_registry::instance().add("poll_register", &firmware);
  return true;
}();

bool sleeps_at(memory_initiator& through, std::uint64_t address) {
  std::uint32_t word = 0;
  tlm::tlm_generic_payload asking;
  set_access(asking, tlm::TLM_READ_COMMAND, address, &word, sizeof word);
  poll_question question;
  auto& asked = through.socket.get_base_port();
  question.asked = asked.operator->();
  asking.set_extension(&question);
  asked->transport_dbg(asking);
  asking.clear_extension(&question);
  return question.ledger != nullptr;
}

// When the first poll that leaves at `when` or later has its answer. Polls leave every `period`,
// the first one at `first`.
fs_t seen_at(fs_t when, fs_t first, fs_t period) {
  const fs_t late = when <= first ? 0 : (when - first + period - 1) / period;
  return first + late * period;
}

}  // namespace

TEST_CASE("a poll of a register that synchronizes its readers sleeps") {
  test_bench bench;
  for (int i = 0; i < native_core::most_that_poll; ++i)
    bench.sim.service<run_control>().core_starts();
  system_part part(bench, "near", 0);
  starting = {&part};
  started = 0;
  std::vector<fs_t> when;
  for (std::uint32_t count = 1; count <= jobs; ++count) {
    // In groups, and never at the instant of a poll: threads may meet in either order.
    when.push_back(count / 3 * 600 * fs_per_ns + count % 3 * 7 * fs_per_ns + fs_per_ps);
    bench.at(when.back(), [&part, count] { part.device.complete(count); });
  }
  bench.run();
  REQUIRE(part.stamps.size() == jobs);
  constexpr fs_t period = 3 * fs_per_ns;
  fs_t next = period;
  for (std::size_t i = 0; i < jobs; ++i) {
    CHECK(part.stamps[i] == seen_at(when[i], next, period));
    next = part.stamps[i] + period;
  }
}

TEST_CASE("a poll that is under way when the register changes is made") {
  test_bench bench;
  auto& near = bench.add_stimulus<memory_initiator>("near");
  auto& far = bench.add_stimulus<memory_initiator>("far");
  auto& device = bench.add_stimulus<register_holder>("device");
  auto& at_once = bench.add<memory_bus>("at_once");
  auto& later =
      bench.add<memory_bus>("later", [](bus_parameters& p) { p.latency.set({7 * fs_per_ns}); });
  bench.map(at_once, 0, 0x1000, device, "registers");
  bench.bind(near, "bus", at_once, "in");
  bench.bind(far, "bus", later, "in");
  bench.map(later, 0, 0x1000, at_once, "in");
  bench.run();
  CHECK(sleeps_at(near, completed));
  CHECK_FALSE(sleeps_at(far, completed));
}
