// The driver of the in-switch accelerator, register by register.
#include <catch2/catch.hpp>

#include "regs/isa_regs.h"
#include "sw/drivers/isa.h"
#include "tests/firmware/register_hal.hpp"

using namespace heddle::test;

namespace {

constexpr std::uint64_t base = 0x4000'0000;
constexpr std::uint32_t stream = 3;

using writes = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

}  // namespace

TEST_CASE("the driver knows the block by its identification") {
  register_hal& block = fresh_hardware();
  CHECK(isa_open(base) == STATUS_BAD_BOOT);
  REQUIRE(block.logs.size() == 1);
  block.words[base + ISA_ID] = ISA_ID_RESET_VALUE;
  CHECK(isa_open(base) == STATUS_OK);
}

TEST_CASE("members are found by where their memory begins, among those that are there") {
  register_hal& block = fresh_hardware();
  block.words[base + ISA_PRESENT] = 0x8000'0000'0000'0012;
  block.words[base + ISA_MEMBER_BASE(0)] = 0x5000;
  block.words[base + ISA_MEMBER_BASE(1)] = 0x1000;
  block.words[base + ISA_MEMBER_BASE(4)] = 0x2000;
  block.words[base + ISA_MEMBER_BASE(63)] = 0x3000;
  CHECK(isa_member_of(base, 0x2000) == 4);
  CHECK(isa_member_of(base, 0x3000) == 63);
  CHECK(isa_member_of(base, 0x5000) == -1);  // not there
}

TEST_CASE("an instruction is staged, then pushed") {
  register_hal& block = fresh_hardware();
  const isa_operation operation = {7, 4096, 0x0f, 0xf0, 0x1234};
  isa_set_address(base, stream, 5, 0x1000'2000'3000);
  isa_push(base, stream, &operation);
  CHECK(block.fences == 1);
  CHECK(block.writes == writes{{base + ISA_ADDRESS_OPERAND(3 * 64 + 5), 0x1000'2000'3000},
                               {base + ISA_STREAM_INSTRUCTION(3), 7},
                               {base + ISA_STREAM_LENGTH(3), 4096},
                               {base + ISA_STREAM_SOURCE(3), 0x0f},
                               {base + ISA_STREAM_DESTINATION(3), 0xf0},
                               {base + ISA_STREAM_OPERATION(3), 0x1234},
                               {base + ISA_STREAM_PUSH(3), 1}});
}

TEST_CASE("a region is where one address stands for all") {
  register_hal& block = fresh_hardware();
  const isa_region place = {0x7000'0000, 0x10000, 0x400};
  isa_set_region(base, 2, &place);
  CHECK(block.writes == writes{{base + ISA_REGION_BASE(2), 0x7000'0000},
                               {base + ISA_REGION_SIZE(2), 0x10000},
                               {base + ISA_REGION_OFFSET(2), 0x400}});
}

TEST_CASE("every error is reported by a name of its own, with the culprits") {
  register_hal& block = fresh_hardware();
  CHECK(isa_check(base, stream) == STATUS_OK);
  std::map<std::string, int> names;
  for (std::uint32_t error = 1; error <= ISA_STREAM_STATUS_ERROR_WAVE_TOO_SMALL; ++error) {
    block.words[base + ISA_STREAM_STATUS(3)] = error << ISA_STREAM_STATUS_ERROR_POS;
    block.words[base + ISA_STREAM_CULPRIT(3)] = 0x10 + error;
    CHECK(isa_check(base, stream) == STATUS_ISA_ERROR);
    CHECK(block.logs.back().second == 0x10 + error);
    ++names[block.logs.back().first];
  }
  CHECK(names.size() == ISA_STREAM_STATUS_ERROR_WAVE_TOO_SMALL);
  CHECK(names.count("isa: unknown error") == 0);
  block.words[base + ISA_STREAM_STATUS(3)] = 15 << ISA_STREAM_STATUS_ERROR_POS;
  CHECK(isa_check(base, stream) == STATUS_ISA_ERROR);
  CHECK(block.logs.back().first == "isa: unknown error");
}

TEST_CASE("errors of all streams may raise the interrupt line") {
  register_hal& block = fresh_hardware();
  block.words[base + ISA_STREAMS] = 8;
  isa_enable_interrupt(base);
  CHECK(block.writes == writes{{base + ISA_IRQ_ENABLE, 0xff}});
}

TEST_CASE("a completion, an error and a time-out in the flag") {
  register_hal& block = fresh_hardware();
  constexpr std::uint64_t flag = 0x9000;
  block.words[flag] = 3;
  CHECK(isa_await(flag, 3, 0) == STATUS_OK);
  CHECK(isa_await(flag, 4, 10) == STATUS_TIMEOUT);
  block.words[flag] = 0x0000'0016'0000'0003;  // of two planes
  CHECK(isa_await(flag, 4, 10) == STATUS_ISA_ERROR);
  CHECK(block.writes == writes{{flag + 4, 0}});
}

TEST_CASE("a stream is set up, reset and arrived at") {
  register_hal& block = fresh_hardware();
  isa_set_stream(base, stream, 0xff, 0x10240, 5000);
  isa_reset(base, stream);
  isa_arrive(base, stream);
  CHECK(block.writes == writes{{base + ISA_STREAM_MEMBERS(3), 0xff},
                               {base + ISA_STREAM_FLAG_OFFSET(3), 0x10240},
                               {base + ISA_STREAM_WATCHDOG(3), 5000},
                               {base + ISA_STREAM_CONTROL(3), 1},
                               {base + ISA_IRQ_STATUS, 8}});
  CHECK(block.additions == writes{{base + ISA_STREAM_COUNTER(3), 1}});
}
