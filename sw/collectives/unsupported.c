/* What every algorithm says to a collective that it does not know. */
#include "collectives/collectives.h"
#include "hal/hal.h"

enum status collective_unsupported(const struct boot_job* job) {
  hal_log("job: no such algorithm for the collective",
          (uint64_t)job->collective << 32 | job->algorithm);
  return STATUS_UNSUPPORTED;
}
