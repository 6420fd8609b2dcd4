#include "collectives/collectives.h"
#include "collectives/ring_message.h"
#include "collectives/steps.h"
#include "hal/hal.h"

/* A pass of the whole vector along the ring in pieces, `position` steps from where it begins. */
struct pass {
  struct steps steps;
  uint32_t position;
  int reduces;
};

static uint32_t channel_of(const struct pass* pass, uint64_t piece) {
  const int is_chained = (pass->steps.job->flags & BOOT_JOB_CHAINED) != 0;
  return is_chained ? 0 : (uint32_t)(piece % pass->steps.comm->dma.channels);
}

/* A piece goes on as soon as it has arrived. A broadcast one lands at its final place, which nobody
 * reads before; a partial sum lands in the scratch memory, and our own share is added. So there are
 * no slots and no credits. */
static enum status pass_on(struct pass* pass, uint64_t number, struct range piece) {
  struct steps* steps = &pass->steps;
  struct communicator* comm = steps->comm;
  const struct boot_job* job = steps->job;
  const uint32_t channel = channel_of(pass, number);
  const uint64_t offset = piece.begin * job->element_bytes;
  enum status status = STATUS_OK;
  if (pass->position > 0)
    status = steps_await(steps, channel, FLAG_RING_DATA + channel, ++comm->ring.received[channel]);
  if (pass->position > 0 && pass->reduces && status == STATUS_OK)
    status = steps_reduce(steps, channel, job->data + offset, job->scratch + offset, piece.count);
  if (pass->position + 1 == comm->boot.ranks || status != STATUS_OK) return status;
  const struct message message = {
      .destination = comm->next + (pass->reduces ? job->scratch : job->data) + offset,
      .source = comm->boot.self + job->data + offset,
      .bytes = piece.count * job->element_bytes,
      .counter = communicator_counter(comm, comm->next, FLAG_RING_DATA + channel),
      .count = ++comm->ring.sent[channel],
  };
  return steps_send(steps, channel, &message);
}

static enum status run_pass(struct communicator* comm, const struct boot_job* job, uint32_t first,
                            int reduces) {
  const uint32_t ranks = comm->boot.ranks;
  const uint64_t piece_elements = ring_piece_elements(job);
  const struct range whole = {0, job->elements};
  if (job->root >= ranks) {
    hal_log("ring: no such root", job->root);
    return STATUS_BAD_JOB;
  }
  if (piece_elements == 0) {
    hal_log("ring: no element fits into a slot of bytes", job->slot_bytes);
    return STATUS_BAD_JOB;
  }
  struct pass pass = {.position = (comm->boot.rank + ranks - first % ranks) % ranks,
                      .reduces = reduces};
  enum status status = steps_begin(&pass.steps, comm, job, reduces);
  const uint64_t pieces = (job->elements + piece_elements - 1) / piece_elements;
  for (uint64_t i = 0; i < pieces && status == STATUS_OK; ++i)
    status = pass_on(&pass, i, piece_of(whole, piece_elements, i));
  return status == STATUS_OK ? steps_end(&pass.steps) : status;
}

enum status ring_broadcast(struct communicator* comm, const struct boot_job* job) {
  return run_pass(comm, job, job->root, 0);
}

enum status ring_reduce(struct communicator* comm, const struct boot_job* job) {
  return run_pass(comm, job, job->root + 1, 1);
}
