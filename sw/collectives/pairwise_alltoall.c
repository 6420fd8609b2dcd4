#include "collectives/algorithms.h"
#include "collectives/collectives.h"
#include "collectives/steps.h"

/* In step i a rank sends to the one i ahead and waits for the one i behind, so that nobody receives
 * from two at a time. Chunks arrive in the scratch memory, because what they replace may not have
 * left yet, and move to their places at the end. */
static enum status exchange(struct steps* steps, uint32_t distance, uint64_t chunk) {
  struct communicator* comm = steps->comm;
  const struct boot_job* job = steps->job;
  const uint32_t ranks = comm->boot.ranks, own = comm->boot.rank;
  const uint32_t to = (own + distance) % ranks, from = (own + ranks - distance) % ranks;
  const uint64_t peer = communicator_peer(comm, to);
  const struct message message = {
      .destination = peer + job->scratch + own * chunk,
      .source = comm->boot.self + job->data + to * chunk,
      .bytes = chunk,
      .counter = communicator_counter(comm, peer, FLAG_DIRECT + own),
      .count = comm->direct_jobs,
  };
  const enum status status = steps_send(steps, 0, &message);
  return status == STATUS_OK ? steps_await(steps, 0, FLAG_DIRECT + from, comm->direct_jobs)
                             : status;
}

enum status pairwise_alltoall(struct communicator* comm, const struct boot_job* job) {
  const uint32_t ranks = comm->boot.ranks, own = comm->boot.rank;
  const uint64_t chunk = job->elements / ranks * job->element_bytes;
  if (job->collective != BOOT_ALLTOALL) return collective_unsupported(job);
  if (job->elements % ranks != 0) return STATUS_BAD_JOB;
  ++comm->direct_jobs;
  struct steps steps;
  enum status status = steps_begin(&steps, comm, job, 0);
  for (uint32_t distance = 1; distance < ranks && status == STATUS_OK; ++distance)
    status = exchange(&steps, distance, chunk);
  if (status == STATUS_OK) status = steps_move(&steps, 0, job->data, job->scratch, own * chunk);
  const uint64_t behind = (own + 1) * chunk;
  if (status == STATUS_OK)
    status =
        steps_move(&steps, 0, job->data + behind, job->scratch + behind, (ranks - own - 1) * chunk);
  return status == STATUS_OK ? steps_end(&steps) : status;
}
