// How a model uses the generated block.
#include <catch2/catch.hpp>

#include <string>

#include "tests/unit/registers/register_bus.hpp"

using namespace heddle;
namespace block = heddle::everything_regs;

TEST_CASE("handles read and set registers and fields") {
  register_bus bus;
  bus.regs.lane[3].state.phase.set(block::lane_state_phase::RUN);
  CHECK(bus.regs.lane[3].state.value() == 1);
  CHECK(bus.regs.lane[2].state.value() == 0);
  CHECK(bus.value(block::lane_state_offset(3)) == 1);
  CHECK(bus.regs.wide.tag.get() == block::wide_tag::TOP);
  bus.regs.wide.tag.set(block::wide_tag::BOTTOM);
  bus.regs.wide.number.set(9);
  CHECK(bus.value(block::wide_offset, 8) == 9);
  CHECK(bus.regs.lane.size() == block::lane_count);
}

TEST_CASE("a counter that is full starts from zero again") {
  register_bus bus;
  bus.regs.progress.add(1);
  bus.regs.progress.add(2);
  CHECK(bus.value(block::progress_offset) == 3);
  bus.regs.progress.add(UINT32_MAX - 1);
  CHECK(bus.regs.progress.value() == 1);
}

TEST_CASE("a write callback runs after the storage is updated, for each write") {
  register_bus bus;
  std::vector<std::uint32_t> seen;
  bus.regs.events.set(0x3);
  bus.regs.events.on_write([&](std::uint32_t before, std::uint32_t now) {
    seen.insert(seen.end(), {before, now, bus.regs.events.value()});
  });
  bus.write(block::events_offset, 0x1);
  bus.write(block::events_offset, 0x1);
  CHECK(seen == std::vector<std::uint32_t>{3, 2, 2, 2, 2, 2});
  bus.regs.events.set(0);  // the model's own changes call nobody
  CHECK(seen.size() == 6);
}

TEST_CASE("a read callback gives the value, which is stored") {
  register_bus bus;
  std::uint32_t count = 10;
  bus.regs.progress.on_read([&] { return count++; });
  CHECK(bus.value(block::progress_offset) == 10);
  CHECK(bus.value(block::progress_offset) == 11);
  CHECK(bus.regs.progress.value() == 11);
}

TEST_CASE("a read callback that is set after a read is run by the next one") {
  register_bus bus;
  bus.regs.progress.set(7);
  CHECK(bus.value(block::progress_offset) == 7);
  bus.regs.progress.on_read([] { return 9U; });
  CHECK(bus.value(block::progress_offset) == 9);
}

TEST_CASE("a block is described for reports") {
  register_bus bus;
  CHECK(bus.regs.register_name(block::lane_total_offset(2) + 7) == "lane[2].total");
  CHECK(bus.regs.register_name(0x30).empty());
  CHECK(bus.regs.description().name == "everything");
  CHECK(block::control_mode_names().names() ==
        std::vector<std::string>{"NONE", "SLOW", "2", "3", "FAST"});
  CHECK(std::string(block::markdown)
            .find("| 0x0 | `id` | 32 | RO | 0x1234abcd | Says \"hello\" "
                  "\\| \\back |") != std::string::npos);
}
