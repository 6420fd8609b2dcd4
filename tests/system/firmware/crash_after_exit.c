/* One core ends by hal_exit(), the other crashes later. */
#include "mistake.h"

int main(void) {
  const struct boot_block boot = read_boot();
  const uint32_t job = hal_next_job();
  hal_mark(HAL_MARK_START, job);
  read_boot(); /* longer than a wire takes, as the barrier has to */
  hal_mark(HAL_MARK_END, job);
  hal_next_job();
  if (boot.rank == 0) hal_exit(0);
  read_boot();
  volatile uint32_t* volatile nothing = 0;
  *nothing = 1;
  return 0;
}
