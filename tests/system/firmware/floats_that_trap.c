/* Does its job with floating point that traps and rounds as no other core's does. */
#include "floats_of_host.h"
#include "mistake.h"

int main(void) {
  trap_on_everything();
  const uint32_t job = hal_next_job();
  hal_mark(HAL_MARK_START, job);
  read_boot(); /* longer than a wire takes, as the barrier has to */
  hal_log("job", job);
  hal_mark(HAL_MARK_END, job);
  hal_next_job();
  return still_traps() ? 0 : 1;
}
