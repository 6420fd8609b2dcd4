// Rules between registers, and the records of refused accesses.
#include <catch2/catch.hpp>

#include "tests/unit/registers/register_bus.hpp"

using namespace heddle;
namespace block = heddle::everything_regs;

TEST_CASE("a write that a rule forbids changes nothing and runs no hook") {
  register_bus bus;
  int calls = 0;
  bus.regs.base.on_write([&](std::uint64_t, std::uint64_t) { ++calls; });
  CHECK(bus.regs.control.mode.get() == block::control_mode::FAST);
  CHECK(bus.write(block::base_offset, 1, 8) == tlm::TLM_GENERIC_ERROR_RESPONSE);
  CHECK(bus.regs.base.value() == 0);
  CHECK(calls == 0);
  CHECK(bus.value(block::base_offset, 8) == 0);  // reads stay allowed
  bus.regs.control.mode.set(block::control_mode::SLOW);
  CHECK(bus.write(block::base_offset, 1, 8) == tlm::TLM_OK_RESPONSE);
  CHECK(bus.regs.base.value() == 1);
  CHECK(calls == 1);
}

TEST_CASE("a rule in an array is about the same element") {
  register_bus bus;
  bus.regs.lane[1].state.phase.set(block::lane_state_phase::RUN);
  CHECK(bus.write(block::lane_limit_offset(0), 1) == tlm::TLM_OK_RESPONSE);
  CHECK(bus.write(block::lane_limit_offset(1), 1) == tlm::TLM_GENERIC_ERROR_RESPONSE);
  CHECK(bus.write(block::lane_limit_offset(2), 1) == tlm::TLM_OK_RESPONSE);
  CHECK(bus.audit.records().at(0).reason ==
        "may be written only while lane[1].state.phase is IDLE, which is RUN");
  bus.regs.lane[1].state.phase.set(block::lane_state_phase::IDLE);
  CHECK(bus.write(block::lane_limit_offset(1), 1) == tlm::TLM_OK_RESPONSE);
}

TEST_CASE("a rule about a register that the model computes is about what a read would find") {
  register_bus bus;
  std::uint32_t phase = 1;  // RUN
  bus.regs.lane[1].state.computed_by([&phase] { return phase; });
  CHECK(bus.write(block::lane_limit_offset(1), 1) == tlm::TLM_GENERIC_ERROR_RESPONSE);
  CHECK(bus.audit.records().at(0).reason ==
        "may be written only while lane[1].state.phase is IDLE, which is RUN");
  CHECK(bus.value(block::lane_state_offset(1)) == 1);
  phase = 0;
  CHECK(bus.write(block::lane_limit_offset(1), 1) == tlm::TLM_OK_RESPONSE);
}

TEST_CASE("all rules of a register must hold") {
  register_bus bus;
  bus.regs.control.enable.set(1);
  CHECK(bus.write(block::lane_limit_offset(3), 1) == tlm::TLM_GENERIC_ERROR_RESPONSE);
  CHECK(bus.audit.records().at(0).reason ==
        "may be written only while control.enable is 0, which is 1");
}

TEST_CASE("refused accesses are recorded with names") {
  register_bus bus;
  bus.write(block::base_offset + 4, 0x77);
  bus.read(block::lane_total_offset(3) + 8);
  bus.write(block::lane_state_offset(2), 1);
  REQUIRE(bus.audit.count() == 3);
  const std::vector<register_audit>& records = bus.audit.records();
  CHECK(records[0].text() ==
        "soc.dut: write of 0x77 to base (offset 0x24) at 0 s: may be written only while "
        "control.mode is NONE or SLOW, which is FAST");
  CHECK(records[0].command == tlm::TLM_WRITE_COMMAND);
  CHECK(records[0].path == "soc.dut");
  CHECK(records[1].text() == "soc.dut: read of offset 0x170 at 0 s: there is no register");
  CHECK(records[2].text() ==
        "soc.dut: write of 0x1 to lane[2].state (offset 0x144) at 0 s: the register is read-only"
        "; written: phase=RUN");
}

TEST_CASE("a model reports what makes no sense about one of its registers") {
  register_bus bus;
  bus.regs.lane[1].total.set(0x30);
  bus.regs.report(bus.regs.lane[1].total, "more than the ring holds");
  CHECK(bus.audit.records().at(0).text() ==
        "soc.dut: write of 0x30 to lane[1].total (offset 0x128) at 0 s: more than the ring holds");
}

TEST_CASE("a flood of refused accesses is counted, and kept in part") {
  register_bus bus;
  for (std::size_t i = 0; i < register_audit_log::kept_limit + 5; ++i) bus.read(0x30);
  CHECK(bus.audit.count() == register_audit_log::kept_limit + 5);
  CHECK(bus.audit.records().size() == register_audit_log::kept_limit);
}
