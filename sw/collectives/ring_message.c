#include "collectives/ring_message.h"

#include "drivers/arithmetic.h"

uint64_t ring_piece_elements(const struct boot_job* job) {
  /* Longer copies would take two descriptors. */
  const uint64_t slot_bytes = smaller(job->slot_bytes, UINT64_C(1) << 30);
  return job->element_bytes == 0 ? 0 : slot_bytes / job->element_bytes;
}

struct ring_plan ring_plan_of(const struct communicator* comm, const struct boot_job* job,
                              struct ring_steps steps, uint64_t piece_elements) {
  const uint64_t longest = chunk_of(job->elements, comm->boot.ranks, 0).count;
  const uint64_t pieces = (longest + piece_elements - 1) / piece_elements;
  const uint64_t reduced = steps.reducing * pieces;
  const struct ring_plan plan = {.piece_elements = piece_elements,
                                 .pieces = pieces,
                                 .reduced = reduced,
                                 .messages = reduced + steps.gathering * pieces};
  return plan;
}

struct range ring_chunk(const struct communicator* comm, const struct boot_job* job,
                        uint32_t behind, uint64_t step) {
  const uint32_t ranks = comm->boot.ranks;
  const uint32_t down = (uint32_t)(step % ranks) + behind;
  return chunk_of(job->elements, ranks, (comm->boot.rank + 2 * ranks - down) % ranks);
}

struct range ring_elements(const struct communicator* comm, const struct boot_job* job,
                           const struct ring_plan* plan, uint32_t behind, uint64_t message) {
  return piece_of(ring_chunk(comm, job, behind, message / plan->pieces), plan->piece_elements,
                  message % plan->pieces);
}

/* Every message carries its own counter value and ends in a fence, so the counter of a channel
 * never goes back; between channels there is no order, so each has its own. */
enum status ring_post(struct communicator* comm, uint32_t channel, uint64_t destination,
                      uint64_t source, uint64_t bytes) {
  const struct message message = {
      .destination = comm->next + destination,
      .source = comm->boot.self + source,
      .bytes = bytes,
      .counter = communicator_counter(comm, comm->next, FLAG_RING_DATA + channel),
      .count = ++comm->ring.sent[channel],
  };
  return communicator_post(comm, channel, &message);
}

enum status ring_await(struct communicator* comm, uint32_t channel) {
  const uint32_t count = ++comm->ring.received[channel];
  return communicator_await(comm, FLAG_RING_DATA + channel, count);
}
