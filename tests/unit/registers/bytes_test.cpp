// Halves of 64-bit registers and byte enables.
#include <catch2/catch.hpp>

#include "tests/unit/registers/register_bus.hpp"

using namespace heddle;
namespace block = heddle::everything_regs;

TEST_CASE("a 64-bit register can be accessed in halves") {
  register_bus bus;
  CHECK(bus.write(block::base_offset, 0x11223344) == tlm::TLM_GENERIC_ERROR_RESPONSE);
  bus.regs.control.mode.set(block::control_mode::NONE);
  CHECK(bus.write(block::base_offset, 0x11223344) == tlm::TLM_OK_RESPONSE);
  CHECK(bus.write(block::base_offset + 4, 0x55667788) == tlm::TLM_OK_RESPONSE);
  CHECK(bus.value(block::base_offset, 8) == 0x5566778811223344);
  CHECK(bus.value(block::base_offset) == 0x11223344);
  CHECK(bus.value(block::base_offset + 4) == 0x55667788);
  bus.regs.samples.set(0x1111111122222222);
  CHECK(bus.value(block::samples_offset + 4) == 0x11111111);
  CHECK(bus.regs.samples.value() == 0x22222222);
}

TEST_CASE("the hooks see both halves") {
  register_bus bus;
  std::vector<std::uint64_t> seen;
  bus.regs.lane[2].total.on_write([&](std::uint64_t before, std::uint64_t now) {
    seen.push_back(before);
    seen.push_back(now);
  });
  bus.regs.lane[2].total.on_read([] { return 0x0102030405060708; });
  CHECK(bus.write(block::lane_total_offset(2), 1, 8) == tlm::TLM_OK_RESPONSE);
  CHECK(bus.write(block::lane_total_offset(2) + 4, 2) == tlm::TLM_OK_RESPONSE);
  CHECK(seen == std::vector<std::uint64_t>{0, 1, 1, 0x200000001});
  CHECK(bus.value(block::lane_total_offset(2) + 4) == 0x01020304);
  CHECK(bus.value(block::lane_total_offset(2)) == 0x05060708);
}

TEST_CASE("a write of one half leaves the other as the model computes it") {
  register_bus bus;
  std::uint64_t live = 0x0102030405060708;
  bus.regs.lane[2].total.computed_by([&] { return live; });
  bus.regs.lane[2].total.on_write([&](std::uint64_t, std::uint64_t now) { live = now; });
  CHECK(bus.write(block::lane_total_offset(2) + 4, 0xaabbccdd) == tlm::TLM_OK_RESPONSE);
  CHECK(live == 0xaabbccdd05060708);
  live += 1;
  CHECK(bus.write(block::lane_total_offset(2), 0x11223344) == tlm::TLM_OK_RESPONSE);
  CHECK(live == 0xaabbccdd11223344);
}

TEST_CASE("byte enables select what is written, set and cleared") {
  register_bus bus;
  bus.regs.clock.set(0xaabbccdd);
  bus.regs.events.set(0xffffffff);
  bus.enables = {0xff, 0, 0xff, 0};
  CHECK(bus.write(block::clock_offset, 0x11223344) == tlm::TLM_OK_RESPONSE);
  CHECK(bus.regs.clock.value() == 0xaa22cc44);
  CHECK(bus.write(block::events_offset, 0xffffffff) == tlm::TLM_OK_RESPONSE);
  CHECK(bus.regs.events.value() == 0xff00ff00);
  CHECK(bus.write(block::requests_offset, 0xffffffff) == tlm::TLM_OK_RESPONSE);
  CHECK(bus.regs.requests.value() == 0x00ff00ff);
}

TEST_CASE("byte enables select what is read and cleared by reading") {
  register_bus bus;
  bus.regs.samples.set(0x1122334455667788);
  bus.enables = {0, 0xff};  // repeats
  const access_result result = bus.read(block::samples_offset, 8, 0xeeeeeeeeeeeeeeee);
  CHECK(result.status == tlm::TLM_OK_RESPONSE);
  CHECK(result.data == 0x11ee33ee55ee77ee);
  CHECK(bus.regs.samples.value() == 0x0022004400660088);
  bus.enables = {0, 0, 0, 0xff};
  CHECK(bus.read(block::samples_offset + 4).data == 0);
  CHECK(bus.regs.samples.value() == 0x0022004400660088);
}

TEST_CASE("an access that enables no byte does nothing") {
  register_bus bus;
  int calls = 0;
  bus.regs.clock.on_write([&](std::uint32_t, std::uint32_t) { ++calls; });
  bus.regs.clock.on_read([&] { return static_cast<std::uint32_t>(++calls); });
  bus.enables = {0};
  CHECK(bus.write(block::clock_offset, 0xff) == tlm::TLM_OK_RESPONSE);
  CHECK(bus.read(block::clock_offset, 4, 0x77).data == 0x77);
  CHECK(calls == 0);
  CHECK(bus.regs.clock.value() == 0);
}

TEST_CASE("a refused write of half a register names the fields of that half") {
  register_bus bus;
  bus.enables = {0x01};
  CHECK(bus.write(block::wide_offset, 7) == tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  CHECK(bus.write(block::wide_offset + 4, 0xffffffff) == tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  CHECK(bus.write(block::wide_offset, 7, 8) == tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  const std::string why = "byte enables are 0x00 or 0xff, one or more; written: ";
  CHECK(bus.audit.records().at(0).reason == why + "number=7");
  CHECK(bus.audit.records().at(1).reason == why + "tag=TOP");
  CHECK(bus.audit.records().at(2).reason == why + "tag=BOTTOM number=7");
}

TEST_CASE("byte enables that mean nothing are refused") {
  register_bus bus;
  bus.enables = {0xff, 0x01, 0xff, 0xff};
  CHECK(bus.write(block::clock_offset, 0xff) == tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  CHECK(bus.read(block::clock_offset).status == tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  std::uint32_t data = 0xff;
  sc_core::sc_time delay;
  bus.prepare(tlm::TLM_WRITE_COMMAND, block::clock_offset, reinterpret_cast<unsigned char*>(&data),
              4);
  bus.payload.set_byte_enable_length(0);
  bus.regs.b_transport(bus.payload, delay);
  CHECK(bus.payload.get_response_status() == tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  CHECK(bus.regs.clock.value() == 0);
}
