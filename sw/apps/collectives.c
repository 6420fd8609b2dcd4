/* Runs the collectives that the platform posts, one job after the other. */
#include "collectives/collectives.h"

#include "collectives/communicator.h"
#include "hal/hal.h"

static enum status run_job(struct communicator* comm, uint32_t number) {
  struct boot_job job;
  hal_read_block(&job, comm->boot.job, sizeof job);
  enum status status = produce_operands(comm, &job);
  if (status != STATUS_OK) return status;
  hal_mark(HAL_MARK_START, number);
  status = run_collective(comm, &job);
  if (status != STATUS_OK) return status;
  hal_mark(HAL_MARK_END, number);
  status = consume_results(comm, &job);
  if (status != STATUS_OK) return status;
  /* After the mark, because no rank needs it: whatever was sent has been received before its
   * receiver's mark, and only the engine's bookkeeping is still to come. */
  return dma_drain(&comm->dma);
}

int main(void) {
  struct communicator comm;
  enum status status = communicator_open(&comm);
  if (status == STATUS_NO_PART) return 0;
  while (status == STATUS_OK) {
    const uint32_t number = hal_next_job();
    if (number == HAL_NO_JOB) break;
    status = run_job(&comm, number);
  }
  if (status != STATUS_OK) hal_log(status_name(status), (uint64_t)status);
  return (int)status;
}
