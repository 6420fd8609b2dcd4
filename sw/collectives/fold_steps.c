#include "collectives/fold_steps.h"

static uint64_t offset_of(const struct steps* steps, struct range range) {
  return steps->job->data + range.begin * steps->job->element_bytes;
}

/* From rank to rank; the receiver waits for the counter. */
static enum status cross(struct steps* steps, uint32_t from, uint32_t to, struct range range,
                         uint64_t destination, uint32_t flag, uint32_t count) {
  struct communicator* comm = steps->comm;
  const uint32_t counter = flag_behind(comm->boot.ranks, flag);
  if (comm->boot.rank == to) return steps_await(steps, 0, counter, count);
  if (comm->boot.rank != from) return STATUS_OK;
  const uint64_t peer = communicator_peer(comm, to);
  const struct message message = {
      .destination = peer + destination,
      .source = comm->boot.self + offset_of(steps, range),
      .bytes = range.count * steps->job->element_bytes,
      .counter = communicator_counter(comm, peer, counter),
      .count = count,
  };
  return steps_send(steps, 0, &message);
}

enum status fold_in(struct steps* steps, const struct fold* fold, uint64_t region, uint32_t count) {
  const uint32_t rank = steps->comm->boot.rank;
  const struct range whole = {0, steps->job->elements};
  if (rank >= 2 * fold->pairs) return STATUS_OK;
  const enum status status =
      cross(steps, rank & ~UINT32_C(1), rank | 1, whole, region, FLAG_FOLD, count);
  if (status != STATUS_OK || !fold_takes_part(fold, rank)) return status;
  return steps_reduce(steps, 0, steps->job->data, region, whole.count);
}

enum status fold_exchange(struct steps* steps, const struct fold* fold, struct range range,
                          int is_inward, uint32_t count) {
  const uint32_t rank = steps->comm->boot.rank;
  if (rank >= 2 * fold->pairs) return STATUS_OK;
  const uint32_t outside = rank & ~UINT32_C(1), inside = rank | 1;
  return cross(steps, is_inward ? outside : inside, is_inward ? inside : outside, range,
               offset_of(steps, range), is_inward ? FLAG_FOLD : FLAG_FOLD + 1, count);
}
