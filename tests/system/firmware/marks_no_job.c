/* Marks the end of a job that it has not taken. */
#include "hal/hal.h"

int main(void) {
  hal_mark(HAL_MARK_END, 0);
  return 0;
}
