#include "collectives/collectives.h"
#include "collectives/ring.h"

/* The step after the last reducing one sends the chunk that has just become complete, so gathering
 * simply goes on. */
enum status ring_allreduce(struct communicator* comm, const struct boot_job* job) {
  const uint32_t steps = comm->boot.ranks - 1;
  return run_ring(comm, job, (struct ring_steps){.reducing = steps, .gathering = steps});
}
