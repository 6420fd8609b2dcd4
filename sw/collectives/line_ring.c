#include "collectives/line_ring.h"

#include "drivers/arithmetic.h"
#include "drivers/dma.h"
#include "hal/hal.h"

/* The ring whose messages bring their flags. All of them come into slots, the gathered ones too,
 * and the vector unit takes them out. */
struct line_ring {
  struct communicator* comm;
  const struct boot_job* job;
  struct ring_plan plan;
};

/* Slot of the message that carries the count, in every rank's window. */
static uint64_t slot_of(const struct communicator* comm, uint64_t count) {
  return comm->boot.lines - comm->boot.self + count % LINE_SLOTS * line_slot_bytes();
}

/* Counts go on from job to job, and so do the slots and their credits. Flags are the whole counts:
 * with 32 bits of them count 0 would come again, and with it the flag of lines that were never
 * written and messages that wait for no credit. Credits have the low 32 bits. */
static enum status send_message(struct line_ring* run, uint64_t message) {
  struct communicator* comm = run->comm;
  const struct range range = ring_elements(comm, run->job, &run->plan, 0, message);
  if (range.count == 0) return STATUS_OK;
  const uint64_t count = ++comm->lines_sent;
  enum status status = STATUS_OK;
  if (count > LINE_SLOTS) {
    status = communicator_await(comm, flag_behind(comm->boot.ranks, FLAG_LINES),
                                (uint32_t)(count - LINE_SLOTS));
  }
  if (status != STATUS_OK) return status;
  const uint32_t channel = (uint32_t)(count % comm->dma.channels);
  const uint64_t width = run->job->element_bytes;
  status = dma_copy_to_lines(&comm->dma, channel, comm->next + slot_of(comm, count),
                             comm->boot.self + run->job->data + range.begin * width,
                             range.count * width, count);
  dma_ring_doorbell(&comm->dma, channel);
  return status;
}

/* The previous rank may fill the slots again that have been emptied since. All credits go to the
 * same address and through one channel, so that they stay in order on any fabric. */
static enum status give_credits(struct communicator* comm, uint64_t before) {
  if (before == comm->lines_received) return STATUS_OK;
  const uint64_t counter =
      communicator_counter(comm, comm->previous, flag_behind(comm->boot.ranks, FLAG_LINES));
  const enum status status =
      dma_write(&comm->dma, 0, counter, (uint32_t)comm->lines_received, DMA_ORDERED);
  dma_ring_doorbell(&comm->dma, 0);
  return status;
}

/* Most often the last line comes last; the vector unit looks at the flags of all. */
static enum status await_lines(const struct communicator* comm, uint64_t lines, uint64_t bytes,
                               uint64_t count) {
  const uint64_t last = lines + (lines_of(bytes) - 1) * LINE_BYTES + LINE_DATA;
  if (hal_poll_equal32(last, UINT32_MAX, (uint32_t)count, comm->boot.timeout_ns) == 0)
    return STATUS_OK;
  hal_log("no message in lines: count expected", count);
  const enum status status = dma_check(&comm->dma);
  return status == STATUS_OK ? STATUS_TIMEOUT : status;
}

/* Reduced, or moved to its final place. */
static enum status receive_message(struct line_ring* run, uint64_t message) {
  struct communicator* comm = run->comm;
  const struct boot_job* job = run->job;
  const struct range range = ring_elements(comm, job, &run->plan, 1, message);
  if (range.count == 0) return STATUS_OK;
  const uint64_t count = ++comm->lines_received;
  const struct vector_lines lines = {comm->boot.self + slot_of(comm, count), count};
  const uint64_t to = comm->boot.self + job->data + range.begin * job->element_bytes;
  enum status status = await_lines(comm, lines.address, range.count * job->element_bytes, count);
  if (status != STATUS_OK) return status;
  if (message < run->plan.reduced) {
    status =
        vector_reduce_lines(&comm->vector, to, &lines, (uint32_t)range.count, job->dtype, job->op);
  } else {
    status = vector_copy_lines(&comm->vector, to, &lines, (uint32_t)range.count, job->dtype);
  }
  return status;
}

/* A message leaves when the one of the step before has been received, and no more are sent ahead
 * than there are slots: else all ranks might wait for credits that nobody gives. A credit can wait
 * for the message behind it, unless that waits for one itself: half of the slots are sent ahead. */
static enum status run_messages(struct line_ring* run) {
  struct communicator* comm = run->comm;
  const uint64_t lead = smaller(run->plan.pieces, LINE_SLOTS / 2);
  uint64_t sent = 0;
  enum status status = STATUS_OK;
  for (uint64_t received = 0; received <= run->plan.messages && status == STATUS_OK; ++received) {
    const uint64_t before = comm->lines_received;
    if (received > 0) status = receive_message(run, received - 1);
    for (; sent < run->plan.messages && sent < received + lead && status == STATUS_OK; ++sent)
      status = send_message(run, sent);
    if (status == STATUS_OK) status = give_credits(comm, before);
  }
  return status;
}

enum status run_line_ring(struct communicator* comm, const struct boot_job* job,
                          struct ring_steps steps) {
  const uint64_t longest_piece = ring_piece_elements(job);
  struct line_ring run = {.comm = comm, .job = job};
  if (comm->boot.lines == 0 || longest_piece == 0) return STATUS_BAD_JOB;
  const enum status status = vector_check(job->dtype, steps.reducing != 0 ? job->op : BOOT_SUM);
  if (status != STATUS_OK) return status;
  const uint64_t longest_message = LINES_OF_MESSAGE * LINE_DATA / job->element_bytes;
  run.plan = ring_plan_of(comm, job, steps, smaller(longest_message, longest_piece));
  return run_messages(&run);
}
