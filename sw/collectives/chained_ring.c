#include "collectives/chained_ring.h"

#include "collectives/steps.h"

/* The ring as a program of steps: a message is a whole chunk, and has a slot of its own at its
 * receiver, so that there are no credits. Chunks go as ring_message.h says. */
static enum status one_step(struct steps* steps, uint32_t step, int reduces) {
  struct communicator* comm = steps->comm;
  const struct boot_job* job = steps->job;
  const struct range own = ring_chunk(comm, job, 0, step), next = ring_chunk(comm, job, 1, step);
  const uint64_t slot = job->scratch + (uint64_t)step * receive_region_bytes(job, comm->boot.ranks);
  const uint64_t at = job->data + own.begin * job->element_bytes;
  const struct message message = {
      .destination = comm->next + (reduces ? slot : at),
      .source = comm->boot.self + at,
      .bytes = own.count * job->element_bytes,
      .counter = communicator_counter(comm, comm->next, FLAG_RING_DATA),
      .count = ++comm->ring.sent[0],
  };
  enum status status = steps_send(steps, 0, &message);
  if (status == STATUS_OK) status = steps_await(steps, 0, FLAG_RING_DATA, ++comm->ring.received[0]);
  if (!reduces || status != STATUS_OK) return status;
  return steps_reduce(steps, 0, job->data + next.begin * job->element_bytes, slot, next.count);
}

enum status run_chained_ring(struct communicator* comm, const struct boot_job* job,
                             struct ring_steps ring) {
  struct steps steps;
  enum status status = steps_begin(&steps, comm, job, ring.reducing != 0);
  const uint32_t all = ring.reducing + ring.gathering;
  for (uint32_t step = 0; step < all && status == STATUS_OK; ++step)
    status = one_step(&steps, step, step < ring.reducing);
  return status == STATUS_OK ? steps_end(&steps) : status;
}
