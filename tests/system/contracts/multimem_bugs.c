#include "bugs.h"
#include "regs/multimem_regs.h"

/* A store to a region that is not there: it takes time and ends with a bus error. */
static void set_store(const struct bug_bench* on) {
  hal_write64(on->multimem + MULTIMEM_DESTINATION, on->boot.self + 0x100000);
  hal_write64(on->multimem + MULTIMEM_SOURCE, on->boot.self);
  hal_write32(on->multimem + MULTIMEM_BYTES, 4096);
  hal_write32(on->multimem + MULTIMEM_OPERATION,
              MULTIMEM_OPERATION_KIND_ST << MULTIMEM_OPERATION_KIND_POS);
}

static int missing_fence(const struct bug_bench* on) {
  hal_write64(on->boot.self, 1);
  set_store(on);
  hal_write32(on->multimem + MULTIMEM_START, 1); /* bug 50 */
  return 0;
}

static int start_before_operation(const struct bug_bench* on) {
  hal_write64(on->multimem + MULTIMEM_DESTINATION, on->boot.self + 0x100000);
  hal_write32(on->multimem + MULTIMEM_START, 1); /* bug 51 */
  return 0;
}

static int double_start(const struct bug_bench* on) {
  set_store(on);
  hal_write32(on->multimem + MULTIMEM_START, 1);
  hal_write32(on->multimem + MULTIMEM_START, 1); /* bug 52 */
  return 0;
}

/* Leaves the error state, but not its interrupt. */
static int interrupt_not_cleared(const struct bug_bench* on) {
  hal_write32(on->multimem + MULTIMEM_IRQ_ENABLE, 3);
  set_store(on);
  hal_write32(on->multimem + MULTIMEM_START, 1);
  hal_wait_for_interrupt();
  (void)hal_poll_equal32(on->multimem + MULTIMEM_STATUS, MULTIMEM_STATUS_STATE_MASK, 1, 1000);
  hal_write32(on->multimem + MULTIMEM_CONTROL, MULTIMEM_CONTROL_RESET_MASK);
  hal_write32(on->multimem + MULTIMEM_START, 1); /* bug 53 */
  return 0;
}

int run_multimem_bug(const struct bug_bench* on, uint32_t bug) {
  switch (bug) {
    case 50:
      return missing_fence(on);
    case 51:
      return start_before_operation(on);
    case 52:
      return double_start(on);
    case 53:
      return interrupt_not_cleared(on);
    case 54:
      hal_write32(on->multimem + MULTIMEM_STATUS, 0); /* bug 54 */
      return 0;
    case 55:
      hal_write32(on->multimem + MULTIMEM_OPERATION, 9); /* bug 55 */
      return 0;
    default:
      return 99;
  }
}
