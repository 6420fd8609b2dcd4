#include "collectives/algorithms.h"
#include "collectives/collectives.h"
#include "collectives/fold_steps.h"

/* Whole vectors go to a partner at half the ids' distance, then at a quarter, ..., and each adds
 * what it has got: log2(ids) steps. The counters are those of halving, whose partners are the
 * same. One receive region a level, because a fast partner may write for the next level early;
 * region 0 is that of the fold. */
static enum status exchange(struct steps* steps, const struct fold* fold, uint32_t level) {
  struct communicator* comm = steps->comm;
  const struct boot_job* job = steps->job;
  const int is_chained = (job->flags & BOOT_JOB_CHAINED) != 0;
  const uint32_t partner = fold_id(fold, comm->boot.rank) ^ fold->ids >> (level + 1);
  const uint64_t peer = communicator_peer(comm, fold_rank(fold, partner));
  const uint64_t region = job->scratch + (level + (fold->pairs > 0)) * receive_region_bytes(job, 1);
  const struct message message = {
      .destination = peer + region,
      .source = comm->boot.self + job->data,
      .bytes = job->elements * job->element_bytes,
      .counter = communicator_counter(comm, peer, FLAG_HALVING + level),
      .count = comm->halving_jobs,
  };
  enum status status = steps_send(steps, is_chained ? 0 : level % comm->dma.channels, &message);
  if (status == STATUS_OK) status = steps_await(steps, 0, FLAG_HALVING + level, comm->halving_jobs);
  if (status == STATUS_OK) status = steps_settle(steps); /* our copy is out of the data */
  if (status != STATUS_OK) return status;
  return steps_reduce(steps, 0, job->data, region, job->elements);
}

enum status recursive_doubling(struct communicator* comm, const struct boot_job* job) {
  if (job->collective == BOOT_ALLGATHER) return halving_doubling(comm, job);
  if (job->collective != BOOT_ALLREDUCE) return collective_unsupported(job);
  const struct fold fold = fold_of(comm->boot.ranks);
  const struct range whole = {0, job->elements};
  const uint32_t jobs = ++comm->halving_jobs;
  const int takes_part = fold_takes_part(&fold, comm->boot.rank);
  struct steps steps;
  enum status status = steps_begin(&steps, comm, job, 1);
  if (status == STATUS_OK) status = fold_in(&steps, &fold, job->scratch, jobs);
  for (uint32_t level = 0; takes_part && fold.ids >> level > 1 && status == STATUS_OK; ++level)
    status = exchange(&steps, &fold, level);
  if (status == STATUS_OK) status = fold_exchange(&steps, &fold, whole, 0, jobs);
  return status == STATUS_OK ? steps_end(&steps) : status;
}
