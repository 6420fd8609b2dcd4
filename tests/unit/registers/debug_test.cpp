// transport_dbg: everything is visible, and nothing happens.
#include <catch2/catch.hpp>

#include "tests/unit/registers/register_bus.hpp"

using namespace heddle;
namespace block = heddle::everything_regs;

namespace {

unsigned debug(register_bus& bus, tlm::tlm_command command, std::uint64_t address,
               std::vector<unsigned char>& data) {
  bus.prepare(command, address, data.data(), static_cast<unsigned>(data.size()));
  return bus.regs.transport_dbg(bus.payload);
}

}  // namespace

TEST_CASE("debug reads see every register and clear none") {
  register_bus bus;
  int calls = 0;
  bus.regs.clock.on_read([&] { return static_cast<std::uint32_t>(++calls); });
  bus.regs.command.set(0x5a);
  bus.regs.samples.set(0x42);
  bus.regs.lane[3].total.set(0x1122334455667788);
  std::vector<unsigned char> all(block::block_size, 0xee);
  CHECK(debug(bus, tlm::TLM_READ_COMMAND, 0, all) == block::block_size);
  CHECK(all[0] == 0xcd);
  CHECK(all[block::command_offset] == 0x5a);
  CHECK(all[block::samples_offset] == 0x42);
  CHECK(all[0x30] == 0);
  CHECK(all[block::lane_total_offset(3) + 7] == 0x11);
  CHECK(bus.regs.samples.value() == 0x42);
  CHECK(calls == 0);
  CHECK(bus.audit.count() == 0);
}

TEST_CASE("debug reads see what a register computes, but run no hook that may have side effects") {
  register_bus bus;
  bus.regs.lane[3].total.computed_by([] { return 0x1122334455667788; });
  bus.regs.clock.on_read([] { return 5; });
  std::vector<unsigned char> data(8);
  CHECK(debug(bus, tlm::TLM_READ_COMMAND, block::lane_total_offset(3), data) == 8);
  CHECK(data[0] == 0x88);
  CHECK(data[7] == 0x11);
  CHECK(bus.regs.lane[3].total.value() == 0);
  CHECK_FALSE(bus.regs.is_told_by_reads_alone(block::lane_total_offset(3)));
  CHECK(bus.regs.is_told_by_reads_alone(block::clock_offset));
  CHECK_FALSE(bus.regs.is_told_by_reads_alone(block::command_offset));
}

TEST_CASE("debug writes leave alone what the model computes") {
  register_bus bus;
  std::uint64_t held = 7;
  bus.regs.lane[3].total.computed_by([&] { return held; });
  bus.regs.clock.on_read([] { return 5; });
  std::vector<unsigned char> data(8, 0xff);
  CHECK(debug(bus, tlm::TLM_WRITE_COMMAND, block::lane_total_offset(3), data) == 0);
  CHECK(bus.regs.lane[3].total.value() == 0);
  CHECK(bus.value(block::lane_total_offset(3), 8) == 7);
  CHECK(debug(bus, tlm::TLM_WRITE_COMMAND, block::clock_offset, data) == 0);
  CHECK(bus.regs.clock.value() == 0);
  data.resize(12);
  CHECK(debug(bus, tlm::TLM_WRITE_COMMAND, block::base_offset, data) == 8);  // as far as it goes
  CHECK(bus.regs.base.value() == UINT64_MAX);
}

TEST_CASE("debug reads end at the end of the block") {
  register_bus bus;
  std::vector<unsigned char> data(block::block_size + 8, 0xee);
  CHECK(debug(bus, tlm::TLM_READ_COMMAND, 0, data) == block::block_size);
  CHECK(data[block::block_size - 1] == 0);
  CHECK(data[block::block_size] == 0xee);
  CHECK(debug(bus, tlm::TLM_READ_COMMAND, 0x1000, data) == 0);
  CHECK(debug(bus, tlm::TLM_IGNORE_COMMAND, 0, data) == 0);
}

TEST_CASE("a debug read that meets no register fails") {
  register_bus bus;
  const std::uint64_t hole = block::clock_offset + 4;
  std::vector<unsigned char> data(4, 0xee);
  CHECK(debug(bus, tlm::TLM_READ_COMMAND, hole, data) == 0);
  data.assign(8, 0xee);
  CHECK(debug(bus, tlm::TLM_READ_COMMAND, block::clock_offset, data) == 8);
  CHECK(data[4] == 0);
}

TEST_CASE("debug writes poke bits whatever the access kind, without hooks or rules") {
  register_bus bus;
  int calls = 0;
  bus.regs.base.on_write([&](std::uint64_t, std::uint64_t) { ++calls; });
  std::vector<unsigned char> data = {0x78, 0x56, 0x34};
  CHECK(debug(bus, tlm::TLM_WRITE_COMMAND, block::id_offset, data) == 3);
  CHECK(bus.regs.id.value() == 0x12345678);
  CHECK(debug(bus, tlm::TLM_WRITE_COMMAND, block::base_offset + 5, data) == 3);
  CHECK(bus.regs.base.value() == 0x3456780000000000);
  data = {0xff, 0xff, 0xff, 0xff};
  CHECK(debug(bus, tlm::TLM_WRITE_COMMAND, block::control_offset, data) == 4);
  CHECK(bus.regs.control.value() == 0x00fff30f);
  CHECK(debug(bus, tlm::TLM_WRITE_COMMAND, block::clock_offset + 2, data) == 2);  // then a hole
  CHECK(bus.regs.clock.value() == 0xffff0000);
  CHECK(calls == 0);
}
