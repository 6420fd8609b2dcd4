#include "collectives/algorithms.h"
#include "collectives/collectives.h"
#include "hal/hal.h"

/* Whole vectors go to a partner at half the ranks' distance, then at a quarter, ..., and each adds
 * what it has got: log2(ranks) steps. The counters are those of halving, whose partners are the
 * same. One receive region a level, because a fast partner may write for the next level early. */
static enum status exchange(struct communicator* comm, const struct boot_job* job, uint32_t level) {
  const uint32_t partner = comm->boot.rank ^ comm->boot.ranks >> (level + 1);
  const uint64_t peer = communicator_peer(comm, partner);
  const uint64_t data = comm->boot.self + job->data;
  const uint64_t region = job->scratch + level * receive_region_bytes(job, 1);
  const struct message message = {
      .destination = peer + region,
      .source = data,
      .bytes = job->elements * job->element_bytes,
      .counter = communicator_counter(comm, peer, FLAG_HALVING + level),
      .count = comm->halving_jobs,
  };
  enum status status = communicator_send(comm, level % comm->dma.channels, &message);
  if (status == STATUS_OK)
    status = communicator_await(comm, FLAG_HALVING + level, comm->halving_jobs);
  if (status == STATUS_OK) status = dma_drain(&comm->dma); /* our copy is out of the data */
  if (status != STATUS_OK) return status;
  return vector_reduce(&comm->vector, data, comm->boot.self + region, job->elements,
                       job->element_bytes);
}

enum status recursive_doubling_allreduce(struct communicator* comm, const struct boot_job* job) {
  const uint32_t ranks = comm->boot.ranks;
  if (job->collective != BOOT_ALLREDUCE) return collective_unsupported(job);
  if ((ranks & (ranks - 1)) != 0) {
    hal_log("recursive doubling: ranks are not a power of two", ranks);
    return STATUS_UNSUPPORTED;
  }
  ++comm->halving_jobs;
  enum status status = vector_set_operation(&comm->vector, job->dtype, job->op);
  for (uint32_t level = 0; ranks >> level > 1 && status == STATUS_OK; ++level)
    status = exchange(comm, job, level);
  return status;
}
