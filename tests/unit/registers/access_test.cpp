// What reads and writes do to each kind of register and field.
#include <catch2/catch.hpp>

#include "tests/unit/registers/register_bus.hpp"

using namespace heddle;
namespace block = heddle::everything_regs;

TEST_CASE("registers start at their reset values") {
  register_bus bus;
  CHECK(bus.value(block::id_offset) == 0x1234abcd);
  CHECK(bus.value(block::control_offset) == 0x8);
  CHECK(bus.value(block::wide_offset, 8) == 0xffffffff00000000);
  CHECK(bus.value(block::clock_offset) == 0);
}

TEST_CASE("a plain register holds what is written to it") {
  register_bus bus;
  CHECK(bus.write(block::clock_offset, 7) == tlm::TLM_OK_RESPONSE);
  CHECK(bus.value(block::clock_offset) == 7);
}

TEST_CASE("RO registers refuse writes and WO registers refuse reads") {
  register_bus bus;
  CHECK(bus.write(block::id_offset, 1) == tlm::TLM_COMMAND_ERROR_RESPONSE);
  CHECK(bus.value(block::id_offset) == 0x1234abcd);
  CHECK(bus.write(block::command_offset, 0x55) == tlm::TLM_OK_RESPONSE);
  CHECK(bus.regs.command.value() == 0x55);
  const access_result result = bus.read(block::command_offset, 4, 0x77);
  CHECK(result.status == tlm::TLM_COMMAND_ERROR_RESPONSE);
  CHECK(result.data == 0x77);
  CHECK(bus.audit.count() == 2);
}

TEST_CASE("W1C, W1S and RC registers act on the bits that they name") {
  register_bus bus;
  bus.regs.events.set(0xff);
  CHECK(bus.write(block::events_offset, 0x0f) == tlm::TLM_OK_RESPONSE);
  CHECK(bus.value(block::events_offset) == 0xf0);
  CHECK(bus.write(block::requests_offset, 0x3) == tlm::TLM_OK_RESPONSE);
  CHECK(bus.write(block::requests_offset, 0x4) == tlm::TLM_OK_RESPONSE);
  CHECK(bus.value(block::requests_offset) == 0x7);
  bus.regs.samples.set(0x123456789abcdef0);
  CHECK(bus.value(block::samples_offset, 8) == 0x123456789abcdef0);
  CHECK(bus.value(block::samples_offset, 8) == 0);
  CHECK(bus.write(block::samples_offset, 1, 8) == tlm::TLM_COMMAND_ERROR_RESPONSE);
}

TEST_CASE("each field of a register keeps its own access kind") {
  register_bus bus;
  const auto& control = bus.regs.control;
  control.busy.set(1);
  control.errors.set(0xf);
  control.requests.set(0x1);
  control.seen.set(0x9);
  // enable 1, mode SLOW, busy 0, kick 1, errors 0b0101 cleared, requests 0b0110 set, seen ignored;
  // bits outside fields are dropped.
  const std::uint64_t written = 0x1 | 1 << 1 | 1 << 9 | 0x5 << 12 | 0x6 << 16 | 0xff00'00c0;
  CHECK(bus.write(block::control_offset, written) == tlm::TLM_OK_RESPONSE);
  CHECK(control.enable.get() == 1);
  CHECK(control.mode.get() == block::control_mode::SLOW);
  CHECK(control.busy.get() == 1);
  CHECK(control.kick.get() == 1);
  CHECK(control.errors.get() == 0xa);
  CHECK(control.requests.get() == 0x7);
  CHECK(control.seen.get() == 0x9);
  const std::uint64_t readable = 0x1 | 1 << 1 | 1 << 8 | 0xa << 12 | 0x7 << 16;
  CHECK(bus.value(block::control_offset) == (readable | 0x9 << 20));
  CHECK(bus.value(block::control_offset) == readable);  // kick reads as 0, seen was cleared
}

TEST_CASE("offsets that hold no register are refused") {
  register_bus bus;
  const std::uint64_t hole = GENERATE(0x2c, 0x30, 0x40, 0xfc, 0x110, 0x180, 0xffc, 0x1000);
  CHECK(bus.read(hole).status == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  CHECK(bus.write(hole, 1) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  CHECK(bus.read(hole | std::uint64_t{1} << 40).status == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  CHECK(bus.read(~std::uint64_t{7}, 8).status == tlm::TLM_ADDRESS_ERROR_RESPONSE);
}

TEST_CASE("accesses of the wrong shape are refused and change nothing") {
  register_bus bus;
  const unsigned length = GENERATE(0U, 1U, 2U, 3U, 5U, 12U, 16U);
  CHECK(bus.write(block::clock_offset, 0xff, length) == tlm::TLM_BURST_ERROR_RESPONSE);
  CHECK(bus.write(block::clock_offset + 2, 0xff) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  CHECK(bus.write(block::base_offset + 4, 0xff, 8) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  CHECK(bus.access(tlm::TLM_IGNORE_COMMAND, 0, 0, 4).status == tlm::TLM_COMMAND_ERROR_RESPONSE);
  CHECK(bus.regs.clock.value() == 0);
  CHECK(bus.regs.base.value() == 0);
}

TEST_CASE("streaming and missing data are refused") {
  register_bus bus;
  std::uint64_t data = 1;
  sc_core::sc_time delay;
  const auto data_pointer = reinterpret_cast<unsigned char*>(&data);
  bus.prepare(tlm::TLM_WRITE_COMMAND, block::base_offset, data_pointer, 8);
  bus.payload.set_streaming_width(4);
  bus.regs.b_transport(bus.payload, delay);
  CHECK(bus.payload.get_response_status() == tlm::TLM_BURST_ERROR_RESPONSE);
  bus.prepare(tlm::TLM_READ_COMMAND, block::base_offset, nullptr, 8);
  bus.regs.b_transport(bus.payload, delay);
  CHECK(bus.payload.get_response_status() == tlm::TLM_GENERIC_ERROR_RESPONSE);
  CHECK(bus.regs.base.value() == 0);
}

TEST_CASE("an access spans no two registers, not even adjacent ones") {
  register_bus bus;
  CHECK(bus.write(block::events_offset, 1, 8) == tlm::TLM_BURST_ERROR_RESPONSE);
  CHECK(bus.read(block::id_offset, 8).status == tlm::TLM_BURST_ERROR_RESPONSE);
  CHECK(bus.read(block::clock_offset, 8).status == tlm::TLM_BURST_ERROR_RESPONSE);  // then a hole
  CHECK(bus.audit.records().at(0).reason == "an access of 8 bytes to a register of 4");
  CHECK(bus.audit.records().at(0).register_name == "events");
}
