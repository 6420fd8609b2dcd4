#include "use_c_header.h"

#include "regs/everything_regs.h"

uint32_t c_lane_state_offset(uint32_t lane) {
  return EVERYTHING_LANE_STATE(lane);
}

uint32_t c_control_with_mode_fast(uint32_t control) {
  return (control & ~EVERYTHING_CONTROL_MODE_MASK) |
         ((uint32_t)EVERYTHING_CONTROL_MODE_FAST << EVERYTHING_CONTROL_MODE_POS);
}

uint64_t c_total(const void* block, uint32_t lane) {
  return ((const volatile struct everything_overlay*)block)->lane[lane].total;
}
