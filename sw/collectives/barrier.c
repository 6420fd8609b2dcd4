#include "collectives/algorithms.h"
#include "collectives/collectives.h"

/* The counters go without a fence: the peer has seen the last barrier's before this one starts. */
enum status dissemination_barrier(struct communicator* comm, const struct boot_job* job) {
  if (job->collective != BOOT_BARRIER) return collective_unsupported(job);
  const uint32_t ranks = comm->boot.ranks;
  const uint32_t count = ++comm->barrier_jobs;
  uint32_t round = 0;
  for (uint64_t distance = 1; distance < ranks; distance *= 2, ++round) {
    const uint64_t peer = communicator_peer(comm, (uint32_t)((comm->boot.rank + distance) % ranks));
    const uint64_t counter = communicator_counter(comm, peer, FLAG_BARRIER + round);
    enum status status = dma_write(&comm->dma, 0, counter, count, 0);
    dma_ring_doorbell(&comm->dma, 0);
    if (status == STATUS_OK) status = communicator_await(comm, FLAG_BARRIER + round, count);
    if (status != STATUS_OK) return status;
  }
  return STATUS_OK;
}
