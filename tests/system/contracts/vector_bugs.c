#include "bugs.h"
#include "regs/vector_regs.h"

static void set_operands(const struct bug_bench* on, uint32_t elements) {
  hal_write64(on->vector + VECTOR_DESTINATION, on->boot.self + 0x100000);
  hal_write64(on->vector + VECTOR_SOURCE, on->boot.self + 0x200000);
  hal_write32(on->vector + VECTOR_ELEMENTS, elements);
}

static int missing_fence(const struct bug_bench* on) {
  hal_write32(on->boot.self + 0x100000, 1);
  set_operands(on, 4);
  hal_write32(on->vector + VECTOR_START, 1); /* bug 30 */
  return 0;
}

static int start_before_operands(const struct bug_bench* on) {
  hal_write64(on->vector + VECTOR_DESTINATION, on->boot.self);
  hal_write32(on->vector + VECTOR_ELEMENTS, 4);
  hal_write32(on->vector + VECTOR_START, 1); /* bug 31 */
  return 0;
}

static int double_start(const struct bug_bench* on) {
  set_operands(on, 4096);
  hal_write32(on->vector + VECTOR_START, 1);
  hal_write32(on->vector + VECTOR_START, 1); /* bug 32 */
  return 0;
}

static int operand_changed_while_busy(const struct bug_bench* on) {
  set_operands(on, 4096);
  hal_write32(on->vector + VECTOR_START, 1);
  hal_write64(on->vector + VECTOR_SOURCE, on->boot.self); /* bug 33 */
  return 0;
}

/* Waits for a count that was there before the start. */
static int stale_flag(const struct bug_bench* on) {
  const uint32_t before = hal_read32(on->vector + VECTOR_COMPLETED);
  set_operands(on, 4096);
  hal_write32(on->vector + VECTOR_START, 1);
  (void)hal_poll_reached32(on->vector + VECTOR_COMPLETED, before, 0);
  hal_write32(on->vector + VECTOR_ELEMENTS, 8); /* bug 34 */
  return 0;
}

/* The unit stops at a bus error; the driver starts again. */
static int reset_forgotten(const struct bug_bench* on) {
  set_operands(on, 4);
  hal_write64(on->vector + VECTOR_SOURCE, UINT64_C(0xff0000000000));
  hal_write32(on->vector + VECTOR_START, 1);
  (void)hal_poll_equal32(on->vector + VECTOR_STATUS, VECTOR_STATUS_STATE_MASK,
                         VECTOR_STATUS_STATE_ERROR << VECTOR_STATUS_STATE_POS, 10000);
  hal_write32(on->vector + VECTOR_START, 1); /* bug 35 */
  return 0;
}

int run_vector_bug(const struct bug_bench* on, uint32_t bug) {
  switch (bug) {
    case 30:
      return missing_fence(on);
    case 31:
      return start_before_operands(on);
    case 32:
      return double_start(on);
    case 33:
      return operand_changed_while_busy(on);
    case 34:
      return stale_flag(on);
    case 35:
      return reset_forgotten(on);
    case 36:
      hal_write32(on->vector + VECTOR_ELEMENTS, 0); /* bug 36 */
      return 0;
    case 37: /* the mask instead of the shifted value */
      hal_write32(on->vector + VECTOR_OPERATION, VECTOR_OPERATION_DTYPE_MASK); /* bug 37 */
      return 0;
    case 38:
      hal_write32(on->vector + VECTOR_OPERATION, UINT32_C(1) << 20); /* bug 38 */
      return 0;
    case 39:
      return (int)hal_read32(on->vector + VECTOR_START); /* bug 39 */
    case 40:
      hal_write64(on->vector + VECTOR_ELEMENTS, 4); /* bug 40 */
      return 0;
    default:
      return 99;
  }
}
