/* Says that the first job is done, and leaves at that moment. */
#include "mistake.h"

int main(void) {
  const uint32_t number = hal_next_job();
  hal_mark(HAL_MARK_START, number);
  hal_mark(HAL_MARK_END, number);
  return 0;
}
