// The generated C header, used from C and included from C++ beside the block.
#include "regs/everything_regs.h"

#include <catch2/catch.hpp>

#include "tests/unit/registers/register_bus.hpp"
#include "tests/unit/registers/use_c_header.h"

using namespace heddle;
namespace block = heddle::everything_regs;

TEST_CASE("the C header agrees with the block") {
  CHECK(EVERYTHING_BLOCK_SIZE == block::block_size);
  CHECK(EVERYTHING_BLOCK_ID == EVERYTHING_ID_RESET_VALUE);
  CHECK(EVERYTHING_BLOCK_ID == block::description.id);
  CHECK(EVERYTHING_CONTROL == block::control_offset);
  CHECK(EVERYTHING_LANE_COUNT == block::lane_count);
  for (std::uint32_t lane = 0; lane < EVERYTHING_LANE_COUNT; ++lane) {
    CHECK(c_lane_state_offset(lane) == block::lane_state_offset(lane));
  }
  CHECK(EVERYTHING_ID_RESET_VALUE == 0x1234abcd);
  CHECK(EVERYTHING_WIDE_RESET_VALUE == 0xffffffff00000000);
  CHECK(EVERYTHING_CONTROL_ERRORS_MASK == 0xf000);
  CHECK(EVERYTHING_CONTROL_ERRORS_POS == 12);
  CHECK(EVERYTHING_CONTROL_ERRORS_WIDTH == 4);
  CHECK(EVERYTHING_WIDE_TAG_TOP == 0xffffffff);  // beyond int: a macro
}

TEST_CASE("what C writes with the header is what the model reads") {
  register_bus bus;
  bus.regs.control.mode.set(block::control_mode::NONE);
  const auto control = c_control_with_mode_fast(bus.regs.control.value());
  CHECK(bus.write(EVERYTHING_CONTROL, control) == tlm::TLM_OK_RESPONSE);
  CHECK(bus.regs.control.mode.get() == block::control_mode::FAST);
}

TEST_CASE("the overlay lies on the registers") {
  register_bus bus;
  bus.regs.lane[1].total.set(0x123456789);
  everything_overlay image{};
  bus.prepare(tlm::TLM_READ_COMMAND, 0, reinterpret_cast<unsigned char*>(&image), sizeof image);
  CHECK(bus.regs.transport_dbg(bus.payload) == sizeof image);
  CHECK(c_total(&image, 1) == 0x123456789);
  CHECK(image.id == 0x1234abcd);
}
