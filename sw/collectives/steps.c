#include "collectives/steps.h"

#include "hal/hal.h"

/* A chain says after so many descriptors how far it has come: its core waits for that word in its
 * memory, where the ring is nearly full, and not for a register of the engine. */
#define DESCRIPTORS_BETWEEN_MARKS 16
/* After so many descriptors each one need not be announced by itself: the engine is busy. */
#define DESCRIPTORS_BETWEEN_DOORBELLS 16
/* Room in a ring for a few more steps. */
#define FEW_DESCRIPTORS 32
/* A step takes no more descriptors, unless it moves more than a gibibyte. */
#define STEP_DESCRIPTORS 3
/* Shorter rings have no room for marks that come ahead of the need. */
#define SHORTEST_RING_WITH_MARKS 128

static int is_chained(const struct steps* steps) {
  return (steps->job->flags & BOOT_JOB_CHAINED) != 0;
}

enum status steps_begin(struct steps* steps, struct communicator* comm, const struct boot_job* job,
                        int reduces) {
  steps->comm = comm;
  steps->job = job;
  steps->channels = 0;
  if (!reduces || is_chained(steps)) return STATUS_OK;
  return vector_set_operation(&comm->vector, job->dtype, job->op);
}

/* Tells the engine of the latest step. Behind the first ones of a chain this is done for several at
 * a time. A ring without marks is too short for that. */
static void announce(struct steps* steps, uint32_t channel) {
  struct dma* dma = &steps->comm->dma;
  const struct dma_channel* ring = &dma->channel[channel];
  if (is_chained(steps) && dma->ring_entries >= SHORTEST_RING_WITH_MARKS) {
    const uint32_t in_all = ring->posted - steps->before[channel];
    const uint32_t waiting = ring->posted - ring->announced;
    if (in_all > DESCRIPTORS_BETWEEN_DOORBELLS && waiting < DESCRIPTORS_BETWEEN_DOORBELLS) return;
  }
  dma_ring_doorbell(dma, channel);
}

uint32_t steps_channel(const struct steps* steps, uint32_t stream) {
  return stream % steps->comm->dma.channels;
}

static uint32_t mark_flag(const struct steps* steps, uint32_t channel) {
  return flag_behind(steps->comm->boot.ranks, FLAG_CHAIN + channel);
}

/* The value of a mark is the number of descriptors in front of it. */
static enum status post_mark(struct steps* steps, uint32_t channel) {
  struct communicator* comm = steps->comm;
  const uint64_t counter = communicator_counter(comm, comm->boot.self, mark_flag(steps, channel));
  return dma_write(&comm->dma, channel, counter, comm->dma.channel[channel].posted, DMA_ORDERED);
}

/* Makes room for few descriptors at a time: a core that waits until much of a ring is free leaves
 * its other channels alone meanwhile. Descriptors complete a little after the chain has passed
 * them: the mark for which the core waits lies behind the ones that have to be complete. */
static enum status make_room(struct steps* steps, uint32_t channel) {
  struct communicator* comm = steps->comm;
  struct dma* dma = &comm->dma;
  const struct dma_channel* ring = &dma->channel[channel];
  if ((steps->channels >> channel & 1) == 0) steps->before[channel] = ring->posted;
  steps->channels |= UINT32_C(1) << channel;
  if (dma->ring_entries < SHORTEST_RING_WITH_MARKS) return STATUS_OK;
  enum status status = STATUS_OK;
  const uint32_t since_mark = ring->posted % DESCRIPTORS_BETWEEN_MARKS;
  if (since_mark + STEP_DESCRIPTORS >= DESCRIPTORS_BETWEEN_MARKS) {
    status = post_mark(steps, channel);
  }
  if (ring->posted - ring->completed + 2 * STEP_DESCRIPTORS <= dma->ring_entries) return status;
  dma_ring_doorbells(dma);
  if (status == STATUS_OK) {
    status = communicator_await(comm, mark_flag(steps, channel),
                                ring->posted - dma->ring_entries / 8 * 7);
  }
  if (status == STATUS_OK) status = dma_reserve(dma, channel, dma->ring_entries / 32);
  return status;
}

int steps_have_room(const struct steps* steps, uint32_t channel) {
  return is_chained(steps) && dma_has_room(&steps->comm->dma, channel, FEW_DESCRIPTORS);
}

int steps_are_parallel(const struct steps* steps, uint32_t streams) {
  return is_chained(steps) && streams <= steps->comm->dma.channels;
}

enum status steps_send(struct steps* steps, uint32_t channel, const struct message* message) {
  struct communicator* comm = steps->comm;
  enum status status = is_chained(steps) ? make_room(steps, channel) : STATUS_OK;
  if (status != STATUS_OK) return status;
  status = communicator_post(comm, channel, message);
  announce(steps, channel);
  return status;
}

enum status steps_await(struct steps* steps, uint32_t channel, uint32_t flag, uint32_t count) {
  struct communicator* comm = steps->comm;
  if (!is_chained(steps)) return communicator_await(comm, flag, count);
  enum status status = make_room(steps, channel);
  if (status != STATUS_OK) return status;
  status = dma_wait(&comm->dma, channel, communicator_counter(comm, comm->boot.self, flag), count);
  announce(steps, channel);
  return status;
}

enum status steps_signal(struct steps* steps, uint32_t channel, uint32_t flag, uint32_t count) {
  struct communicator* comm = steps->comm;
  const uint64_t counter = communicator_counter(comm, comm->boot.self, flag);
  enum status status = is_chained(steps) ? make_room(steps, channel) : STATUS_OK;
  if (status == STATUS_OK) status = dma_write(&comm->dma, channel, counter, count, DMA_ORDERED);
  announce(steps, channel);
  return status;
}

enum status steps_reduce(struct steps* steps, uint32_t channel, uint64_t to, uint64_t from,
                         uint64_t elements) {
  struct communicator* comm = steps->comm;
  const struct boot_job* job = steps->job;
  const uint64_t self = comm->boot.self;
  if (!is_chained(steps)) {
    return vector_reduce(&comm->vector, self + to, self + from, elements, job->element_bytes);
  }
  enum status status = make_room(steps, channel);
  if (status != STATUS_OK) return status;
  const struct dma_reduction how = {job->dtype, job->op};
  status =
      dma_reduce(&comm->dma, channel, self + to, self + from, elements * job->element_bytes, how);
  announce(steps, channel);
  return status;
}

enum status steps_move(struct steps* steps, uint32_t channel, uint64_t to, uint64_t from,
                       uint64_t bytes) {
  struct communicator* comm = steps->comm;
  enum status status = is_chained(steps) ? make_room(steps, channel) : STATUS_OK;
  if (status != STATUS_OK) return status;
  status = dma_copy(&comm->dma, channel, comm->boot.self + to, comm->boot.self + from, bytes);
  announce(steps, channel);
  return status == STATUS_OK ? steps_settle(steps) : status;
}

enum status steps_settle(struct steps* steps) {
  return is_chained(steps) ? STATUS_OK : dma_drain(&steps->comm->dma);
}

enum status steps_end(struct steps* steps) {
  struct communicator* comm = steps->comm;
  enum status status = STATUS_OK;
  for (uint32_t i = 0; i < comm->dma.channels && status == STATUS_OK; ++i) {
    if ((steps->channels >> i & 1) == 0) continue;
    status = make_room(steps, i);
    if (status == STATUS_OK) status = post_mark(steps, i);
    dma_ring_doorbell(&comm->dma, i);
  }
  for (uint32_t i = 0; i < comm->dma.channels && status == STATUS_OK; ++i) {
    if ((steps->channels >> i & 1) == 0) continue;
    status = communicator_await(comm, mark_flag(steps, i), comm->dma.channel[i].posted - 1);
  }
  return status;
}
