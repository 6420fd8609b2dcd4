/* Gathers the properties that the platform asks for, one job after the other. */
#include "kernels/gather.h"

#include "hal/hal.h"

static enum status run_job(struct gather* gather, uint32_t number) {
  enum status status = gather_prepare(gather);
  if (status != STATUS_OK) return status;
  hal_mark(HAL_MARK_START, number);
  status = gather_run(gather);
  if (status != STATUS_OK) return status;
  hal_mark(HAL_MARK_END, number);
  if (gather->repeated != 0)
    hal_log("gather: commands failed and were repeated:", gather->repeated);
  return STATUS_OK;
}

int main(void) {
  struct gather gather;
  enum status status = gather_open(&gather);
  if (status == STATUS_NO_PART) return 0;
  while (status == STATUS_OK) {
    const uint32_t number = hal_next_job();
    if (number == HAL_NO_JOB) break;
    status = run_job(&gather, number);
  }
  /* A gather that gives up has told why. */
  if (status != STATUS_OK && status != STATUS_GATHER_ERROR)
    hal_log(status_name(status), (uint64_t)status);
  return (int)status;
}
