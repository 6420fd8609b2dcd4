#include "collectives/collectives.h"
#include "collectives/nvls.h"

enum status nvls_allreduce(struct communicator* comm, const struct boot_job* job) {
  return nvls_run(comm, job, MULTIMEM_ALL_REDUCE);
}
