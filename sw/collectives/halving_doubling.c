#include "collectives/algorithms.h"
#include "collectives/collectives.h"
#include "collectives/fold_steps.h"

/* Ids with the same leading bits exchange halves of what they share, so the range of an id is that
 * of the chunks of its ranks once all bits have been dealt with. */
struct exchange {
  struct steps steps;
  struct fold fold;
  uint32_t levels;
  uint32_t id;
};

/* Elements of the chunks of all ranks behind ids [first, first + ids). */
static struct range range_of(const struct exchange* exchange, uint32_t first, uint32_t ids) {
  const uint64_t elements = exchange->steps.job->elements;
  const uint32_t ranks = exchange->fold.ranks;
  const uint32_t begin = fold_first_rank(&exchange->fold, first);
  const uint32_t end = fold_first_rank(&exchange->fold, first + ids);
  const struct range from = chunk_of(elements, ranks, begin);
  const struct range last = chunk_of(elements, ranks, end - 1);
  const struct range result = {from.begin, last.begin + last.count - from.begin};
  return result;
}

static uint32_t distance_of(const struct exchange* exchange, uint32_t level) {
  return exchange->fold.ids >> (level + 1);
}

/* What an id keeps at the level: those that share its bits down to that of the level. */
static struct range kept_by(const struct exchange* exchange, uint32_t id, uint32_t level) {
  const uint32_t ids = distance_of(exchange, level);
  return range_of(exchange, id & ~(ids - 1), ids);
}

static uint64_t offset_of(const struct exchange* exchange, struct range range) {
  return exchange->steps.job->data + range.begin * exchange->steps.job->element_bytes;
}

static enum status send_range(struct exchange* exchange, uint32_t level, struct range range,
                              uint64_t destination, uint32_t flag) {
  struct communicator* comm = exchange->steps.comm;
  const uint32_t partner = exchange->id ^ distance_of(exchange, level);
  const uint64_t peer = communicator_peer(comm, fold_rank(&exchange->fold, partner));
  const struct message message = {
      .destination = peer + destination,
      .source = comm->boot.self + offset_of(exchange, range),
      .bytes = range.count * exchange->steps.job->element_bytes,
      .counter = communicator_counter(comm, peer, flag + level),
      .count = comm->halving_jobs,
  };
  const int is_chained = (exchange->steps.job->flags & BOOT_JOB_CHAINED) != 0;
  return steps_send(&exchange->steps, is_chained ? 0 : level % comm->dma.channels, &message);
}

/* Gives the partner its half and adds the partner's share to the other. One receive region a level,
 * because a fast partner may write for the next level before this one has been reduced. */
static enum status halve(struct exchange* exchange, uint32_t level) {
  struct steps* steps = &exchange->steps;
  const uint32_t jobs = steps->comm->halving_jobs;
  const uint32_t partner = exchange->id ^ distance_of(exchange, level);
  const struct range kept = kept_by(exchange, exchange->id, level);
  const uint64_t received =
      steps->job->scratch + halving_region(steps->job, exchange->fold.ranks, level);
  enum status status =
      send_range(exchange, level, kept_by(exchange, partner, level), received, FLAG_HALVING);
  if (status == STATUS_OK) status = steps_await(steps, 0, FLAG_HALVING + level, jobs);
  if (status != STATUS_OK) return status;
  return steps_reduce(steps, 0, offset_of(exchange, kept), received, kept.count);
}

/* Sends what is complete here and gets back the range given away at this level. The partner's
 * write meets no copy of ours out of that range: the partner has reduced what that copy brought. */
static enum status redouble(struct exchange* exchange, uint32_t level) {
  const struct range kept = kept_by(exchange, exchange->id, level);
  const enum status status =
      send_range(exchange, level, kept, offset_of(exchange, kept), FLAG_DOUBLING);
  if (status != STATUS_OK) return status;
  return steps_await(&exchange->steps, 0, FLAG_DOUBLING + level,
                     exchange->steps.comm->halving_jobs);
}

static enum status halve_all(struct exchange* exchange) {
  enum status status = STATUS_OK;
  for (uint32_t level = 0; level < exchange->levels && status == STATUS_OK; ++level) {
    status = halve(exchange, level);
  }
  return status;
}

static enum status redouble_all(struct exchange* exchange) {
  enum status status = STATUS_OK;
  for (uint32_t level = exchange->levels; level > 0 && status == STATUS_OK; --level) {
    status = redouble(exchange, level - 1);
  }
  return status;
}

/* What the neighbor outside gets at the end: everything, or its own chunk. */
static struct range result_outside(const struct exchange* exchange) {
  const struct boot_job* job = exchange->steps.job;
  if (job->collective != BOOT_REDUCE_SCATTER) return (struct range){0, job->elements};
  return chunk_of(job->elements, exchange->fold.ranks,
                  exchange->steps.comm->boot.rank & ~UINT32_C(1));
}

enum status halving_doubling(struct communicator* comm, const struct boot_job* job) {
  const int halves = job->collective == BOOT_ALLREDUCE || job->collective == BOOT_REDUCE_SCATTER;
  const int doubles = job->collective == BOOT_ALLREDUCE || job->collective == BOOT_ALLGATHER;
  if (!halves && !doubles) return collective_unsupported(job);
  const uint32_t rank = comm->boot.rank;
  struct exchange exchange = {.fold = fold_of(comm->boot.ranks)};
  const struct fold* fold = &exchange.fold;
  const struct range outside = chunk_of(job->elements, comm->boot.ranks, rank & ~UINT32_C(1));
  const uint32_t jobs = ++comm->halving_jobs;
  exchange.id = fold_id(fold, rank);
  while (fold->ids >> exchange.levels > 1) ++exchange.levels;
  enum status status = steps_begin(&exchange.steps, comm, job, halves);
  if (status == STATUS_OK) {
    status = halves ? fold_in(&exchange.steps, fold, job->scratch, jobs)
                    : fold_exchange(&exchange.steps, fold, outside, 1, jobs);
  }
  const int takes_part = fold_takes_part(fold, rank);
  if (status == STATUS_OK && takes_part && halves) status = halve_all(&exchange);
  if (status == STATUS_OK && takes_part && doubles) status = redouble_all(&exchange);
  if (status == STATUS_OK) {
    status = fold_exchange(&exchange.steps, fold, result_outside(&exchange), 0, jobs);
  }
  return status == STATUS_OK ? steps_end(&exchange.steps) : status;
}
