#include "collectives/algorithms.h"
#include "collectives/collectives.h"
#include "collectives/steps.h"

/* Chunks arrive in the scratch memory, because what they replace may not have left yet, and move to
 * their places at the end. */
static enum status send_ahead(struct steps* steps, uint32_t distance, uint64_t chunk) {
  struct communicator* comm = steps->comm;
  const struct boot_job* job = steps->job;
  const uint32_t ranks = comm->boot.ranks, own = comm->boot.rank;
  const uint32_t to = (own + distance) % ranks;
  const uint64_t peer = communicator_peer(comm, to);
  const struct message message = {
      .destination = peer + job->scratch + own * chunk,
      .source = comm->boot.self + job->data + to * chunk,
      .bytes = chunk,
      .counter = communicator_counter(comm, peer, FLAG_DIRECT + own),
      .count = comm->direct_jobs,
  };
  return steps_send(steps, 0, &message);
}

static enum status await_behind(struct steps* steps, uint32_t distance) {
  const struct communicator* comm = steps->comm;
  const uint32_t from = (comm->boot.rank + comm->boot.ranks - distance) % comm->boot.ranks;
  return steps_await(steps, 0, FLAG_DIRECT + from, comm->direct_jobs);
}

static enum status move_to_places(struct steps* steps, uint64_t chunk) {
  const struct boot_job* job = steps->job;
  const uint32_t own = steps->comm->boot.rank, above = steps->comm->boot.ranks - own - 1;
  const uint64_t behind = (own + 1) * chunk;
  const enum status status = steps_move(steps, 0, job->data, job->scratch, own * chunk);
  if (status != STATUS_OK) return status;
  return steps_move(steps, 0, job->data + behind, job->scratch + behind, above * chunk);
}

static uint32_t common_divisor(uint32_t a, uint32_t b) {
  while (b != 0) {
    const uint32_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/* Ranks that a direct exchange goes on by from one chunk to the next: the golden section of them
 * all, so that chunks that follow each other lead far apart. On a torus they take all its links at
 * a time, where one distance after the other would fill those of one dimension. */
static uint32_t golden_stride(uint32_t ranks) {
  const uint32_t golden_per_mille = 618;
  uint32_t stride = (uint32_t)((uint64_t)ranks * golden_per_mille / 1000) + 1;
  while (common_divisor(stride, ranks) != 1) ++stride;
  return stride;
}

/* Waits for each chunk before the next one leaves, or for all of them at the end. */
static enum status exchange_all(struct communicator* comm, const struct boot_job* job,
                                int waits_each) {
  const uint32_t ranks = comm->boot.ranks;
  const uint64_t chunk = job->elements / ranks * job->element_bytes;
  if (job->elements % ranks != 0) return STATUS_BAD_JOB;
  ++comm->direct_jobs;
  struct steps steps;
  enum status status = steps_begin(&steps, comm, job, 0);
  const uint32_t stride = waits_each ? 1 : golden_stride(ranks);
  for (uint32_t i = 1; i < ranks && status == STATUS_OK; ++i) {
    const uint32_t distance = (uint32_t)((uint64_t)i * stride % ranks);
    status = send_ahead(&steps, distance, chunk);
    if (waits_each && status == STATUS_OK) status = await_behind(&steps, distance);
  }
  for (uint32_t distance = 1; !waits_each && distance < ranks && status == STATUS_OK; ++distance)
    status = await_behind(&steps, distance);
  if (status == STATUS_OK) status = move_to_places(&steps, chunk);
  return status == STATUS_OK ? steps_end(&steps) : status;
}

/* In step i a rank sends to the one i ahead and waits for the one i behind, so that nobody receives
 * from two at a time. */
enum status pairwise_alltoall(struct communicator* comm, const struct boot_job* job) {
  return job->collective == BOOT_ALLTOALL ? exchange_all(comm, job, 1)
                                          : collective_unsupported(job);
}

enum status direct_alltoall(struct communicator* comm, const struct boot_job* job) {
  return exchange_all(comm, job, 0);
}
