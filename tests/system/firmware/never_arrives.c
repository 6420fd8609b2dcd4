/* Takes the job, and never arrives at the in-switch accelerators. */
#include "mistake.h"

int main(void) {
  const uint32_t number = hal_next_job();
  hal_mark(HAL_MARK_START, number);
  hal_wait_for_interrupt();
  return 0;
}
