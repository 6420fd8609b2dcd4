#include "collectives/collectives.h"
#include "collectives/ring.h"

enum status ring_allgather(struct communicator* comm, const struct boot_job* job) {
  return run_ring(comm, job, (struct ring_steps){.gathering = comm->boot.ranks - 1});
}
