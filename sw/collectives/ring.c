#include "collectives/ring.h"

#include "collectives/chained_ring.h"
#include "collectives/line_ring.h"
#include "drivers/arithmetic.h"
#include "drivers/dma.h"

/* A message takes up to this many descriptors: a credit, the data, its counter. */
#define MESSAGE_DESCRIPTORS 3

struct ring_run {
  struct communicator* comm;
  const struct boot_job* job;
  uint64_t slots;
  uint64_t slot_bytes;
  uint64_t lead; /* how many messages are sent ahead of those received, while slots are used */
  struct ring_plan plan; /* its reduced messages go through slots */
};

static uint32_t channel_of(const struct ring_run* run, uint64_t message) {
  return (uint32_t)(message % run->comm->dma.channels);
}

static uint64_t slot_of(const struct ring_run* run, uint64_t message) {
  return run->job->scratch + message % run->slots * run->slot_bytes;
}

static uint64_t address_of(const struct ring_run* run, struct range range) {
  return run->job->data + range.begin * run->job->element_bytes;
}

/* How many messages may be posted once so many have been received. While slots are used, the lead
 * bounds it, and later only that the piece has arrived.
 *
 * A gathered piece overwrites the receiver's own only after that has been sent: it comes from the
 * owner of the complete chunk, which has it only after every other rank's share has gone around, so
 * the receiver's copy out of this very place is long visible at its next rank. */
static uint64_t sendable(const struct ring_run* run, uint64_t received) {
  if (received + run->lead < run->plan.reduced) return received + run->lead;
  return smaller(received + run->plan.pieces, run->plan.messages);
}

/* Waits until the next rank has emptied the slot that the message will fill. The credit comes on
 * the channel of the message that the next rank posted then. */
static enum status await_slot(struct ring_run* run, uint64_t message) {
  if (message >= run->plan.reduced || message < run->slots) return STATUS_OK;
  const uint32_t channel = channel_of(run, message - run->slots + run->lead);
  const uint32_t count = ++run->comm->ring.credited[channel];
  return communicator_await(run->comm, FLAG_RING_CREDIT + channel, count);
}

/* Tells the previous rank that the slot of message - lead is empty, if it will be filled again. No
 * fence of its own: where the counter of the same message has one, that keeps credits in order,
 * else they are ordered as the counters are. */
static enum status post_credit(struct ring_run* run, uint64_t message) {
  struct communicator* comm = run->comm;
  if (message < run->lead || message - run->lead + run->slots >= run->plan.reduced)
    return STATUS_OK;
  const uint32_t channel = channel_of(run, message);
  const uint64_t counter = communicator_counter(comm, comm->previous, FLAG_RING_CREDIT + channel);
  return dma_write(&comm->dma, channel, counter, ++comm->ring.granted[channel],
                   comm->how == DMA_FENCE ? 0 : comm->how);
}

/* Writes a message and the credit that goes with it into the ring of its channel, which takes
 * effect with the doorbell and not before: room is made first. */
static enum status post_message(struct ring_run* run, uint64_t message) {
  struct communicator* comm = run->comm;
  const uint32_t channel = channel_of(run, message);
  enum status status = await_slot(run, message);
  if (status == STATUS_OK) status = dma_reserve(&comm->dma, channel, MESSAGE_DESCRIPTORS);
  if (status == STATUS_OK) status = post_credit(run, message);
  if (status != STATUS_OK) return status;
  const struct range range = ring_elements(comm, run->job, &run->plan, 0, message);
  const uint64_t at = address_of(run, range);
  return ring_post(comm, channel, message < run->plan.reduced ? slot_of(run, message) : at, at,
                   range.count * run->job->element_bytes);
}

/* Messages [posted, end), each with its doorbell. */
static enum status send_messages(struct ring_run* run, uint64_t posted, uint64_t end) {
  enum status status = STATUS_OK;
  for (; posted < end && status == STATUS_OK; ++posted) {
    status = post_message(run, posted);
    dma_ring_doorbell(&run->comm->dma, channel_of(run, posted));
  }
  return status;
}

/* The vector unit reduces what has been received while the core writes the descriptors of the next
 * message; the doorbell then waits for the unit, because the message may be that very piece. */
static enum status reduce_and_post(struct ring_run* run, uint64_t received, uint64_t to_post,
                                   int posts) {
  struct communicator* comm = run->comm;
  const struct range range = ring_elements(comm, run->job, &run->plan, 1, received);
  const int reduces = received < run->plan.reduced && range.count != 0;
  if (reduces) {
    vector_start(&comm->vector, comm->boot.self + address_of(run, range),
                 comm->boot.self + slot_of(run, received), (uint32_t)range.count);
  }
  enum status status = posts ? post_message(run, to_post) : STATUS_OK;
  if (reduces && status == STATUS_OK) status = vector_wait(&comm->vector);
  if (posts && status == STATUS_OK) dma_ring_doorbell(&comm->dma, channel_of(run, to_post));
  return status;
}

static enum status run_pipeline(struct ring_run* run) {
  uint64_t posted = sendable(run, 0);
  enum status status = send_messages(run, 0, posted);
  for (uint64_t received = 0; received < run->plan.messages && status == STATUS_OK; ++received) {
    status = ring_await(run->comm, channel_of(run, received));
    if (status != STATUS_OK) return status;
    const uint64_t end = sendable(run, received + 1);
    status = reduce_and_post(run, received, posted, posted < end);
    if (status == STATUS_OK) status = send_messages(run, posted + 1, end);
    posted = end;
  }
  return status;
}

/* The slots are shared out between messages on their way and slots whose credit is on its way back:
 * a lead of all slots would wait for each credit, a whole round trip. A third for the credits
 * covers it, since a message goes through fence and counter and a credit is the counter alone. */
static void share_out_slots(struct ring_run* run, uint64_t* piece_elements) {
  if (run->slots == 1) { /* two halves: one is filled while the other is emptied */
    run->slots = 2;
    *piece_elements /= 2;
    run->slot_bytes = *piece_elements * run->job->element_bytes;
  }
  const uint64_t third = run->slots / 3;
  run->lead = run->slots - (third == 0 ? 1 : third);
}

enum status run_ring(struct communicator* comm, const struct boot_job* job,
                     struct ring_steps steps) {
  struct ring_run run = {
      .comm = comm, .job = job, .slots = job->slots, .slot_bytes = job->slot_bytes};
  uint64_t piece_elements = ring_piece_elements(job);
  if (comm->boot.ranks < 2 || job->elements == 0) return STATUS_OK;
  if ((job->flags & BOOT_JOB_CHAINED) != 0) return run_chained_ring(comm, job, steps);
  if ((job->flags & BOOT_JOB_IN_PACKET) != 0) return run_line_ring(comm, job, steps);
  if (steps.reducing != 0) {
    if (job->slots == 0) return STATUS_BAD_JOB;
    share_out_slots(&run, &piece_elements);
    const enum status status = vector_set_operation(&comm->vector, job->dtype, job->op);
    if (status != STATUS_OK) return status;
  }
  if (piece_elements == 0) return STATUS_BAD_JOB;
  run.plan = ring_plan_of(comm, job, steps, piece_elements);
  run.lead = smaller(run.lead, run.plan.pieces);
  return run_pipeline(&run);
}
