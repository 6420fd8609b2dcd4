#include "collectives/algorithms.h"
#include "collectives/collectives.h"
#include "hal/hal.h"

#define MAX_LEVELS 32

struct exchange {
  struct communicator* comm;
  const struct boot_job* job;
  uint32_t levels;
  struct range given[MAX_LEVELS]; /* what the partner of the level has kept */
  struct range kept;
};

static uint32_t distance_of(const struct exchange* exchange, uint32_t level) {
  return exchange->comm->boot.ranks >> (level + 1);
}

static uint64_t offset_of(const struct exchange* exchange, struct range range) {
  return exchange->job->data + range.begin * exchange->job->element_bytes;
}

/* One receive region a level, because a fast partner may write for the next level before this one
 * has been reduced. */
static uint64_t region(const struct exchange* exchange, uint32_t level) {
  uint64_t offset = exchange->job->scratch;
  for (uint32_t i = 0; i < level; ++i) {
    offset += receive_region_bytes(exchange->job, UINT64_C(2) << i);
  }
  return offset;
}

static enum status send_range(struct exchange* exchange, uint32_t level, struct range range,
                              uint64_t destination, uint32_t flag) {
  struct communicator* comm = exchange->comm;
  const uint64_t peer = communicator_peer(comm, comm->boot.rank ^ distance_of(exchange, level));
  const struct message message = {
      .destination = peer + destination,
      .source = comm->boot.self + offset_of(exchange, range),
      .bytes = range.count * exchange->job->element_bytes,
      .counter = communicator_counter(comm, peer, flag + level),
      .count = comm->halving_jobs,
  };
  return communicator_send(comm, level % comm->dma.channels, &message);
}

/* Gives one half of the range to the partner and adds the partner's share to the other. */
static enum status halve(struct exchange* exchange, uint32_t level) {
  struct communicator* comm = exchange->comm;
  const struct range whole = exchange->kept;
  const struct range lower = {whole.begin, whole.count / 2};
  const struct range upper = {whole.begin + lower.count, whole.count - lower.count};
  const int keeps_upper = (comm->boot.rank & distance_of(exchange, level)) != 0;
  exchange->kept = keeps_upper ? upper : lower;
  exchange->given[level] = keeps_upper ? lower : upper;
  const uint64_t received = region(exchange, level);
  enum status status = send_range(exchange, level, exchange->given[level], received, FLAG_HALVING);
  if (status == STATUS_OK) {
    status = communicator_await(comm, FLAG_HALVING + level, comm->halving_jobs);
  }
  if (status != STATUS_OK) return status;
  return vector_reduce(&comm->vector, comm->boot.self + offset_of(exchange, exchange->kept),
                       comm->boot.self + received, exchange->kept.count,
                       exchange->job->element_bytes);
}

/* Sends what is complete here and gets back the range given away at this level. The partner's
 * write meets no copy of ours out of that range: the partner has reduced what that copy brought. */
static enum status redouble(struct exchange* exchange, uint32_t level) {
  struct communicator* comm = exchange->comm;
  enum status status = send_range(exchange, level, exchange->kept,
                                  offset_of(exchange, exchange->kept), FLAG_DOUBLING);
  if (status == STATUS_OK) {
    status = communicator_await(comm, FLAG_DOUBLING + level, comm->halving_jobs);
  }
  const struct range given = exchange->given[level];
  if (given.begin < exchange->kept.begin) exchange->kept.begin = given.begin;
  exchange->kept.count += given.count;
  return status;
}

enum status halving_doubling_allreduce(struct communicator* comm, const struct boot_job* job) {
  const uint32_t ranks = comm->boot.ranks;
  if (job->collective != BOOT_ALLREDUCE) return collective_unsupported(job);
  if ((ranks & (ranks - 1)) != 0) {
    hal_log("halving-doubling: ranks are not a power of two", ranks);
    return STATUS_UNSUPPORTED;
  }
  ++comm->halving_jobs;
  struct exchange exchange = {.comm = comm, .job = job, .kept = {0, job->elements}};
  while (ranks >> exchange.levels > 1) ++exchange.levels;
  enum status status = vector_set_operation(&comm->vector, job->dtype, job->op);
  for (uint32_t level = 0; level < exchange.levels && status == STATUS_OK; ++level) {
    status = halve(&exchange, level);
  }
  for (uint32_t level = exchange.levels; level > 0 && status == STATUS_OK; --level) {
    status = redouble(&exchange, level - 1);
  }
  return status;
}
