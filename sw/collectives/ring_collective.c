#include "collectives/algorithms.h"
#include "collectives/collectives.h"
#include "collectives/ring.h"

/* The step after the last reducing one sends the chunk that has just become complete, so gathering
 * simply goes on. */
enum status ring_collective(struct communicator* comm, const struct boot_job* job) {
  const uint32_t steps = comm->boot.ranks - 1;
  switch (job->collective) {
    case BOOT_ALLREDUCE:
      return run_ring(comm, job, (struct ring_steps){.reducing = steps, .gathering = steps});
    case BOOT_REDUCE_SCATTER:
      return run_ring(comm, job, (struct ring_steps){.reducing = steps});
    case BOOT_ALLGATHER:
      return run_ring(comm, job, (struct ring_steps){.gathering = steps});
    case BOOT_BROADCAST:
      return ring_broadcast(comm, job);
    case BOOT_REDUCE:
      return ring_reduce(comm, job);
    default:
      return collective_unsupported(job);
  }
}
