#include "collectives/collectives.h"
#include "collectives/ring.h"

enum status ring_reduce_scatter(struct communicator* comm, const struct boot_job* job) {
  return run_ring(comm, job, (struct ring_steps){.reducing = comm->boot.ranks - 1});
}
