/* What the rings share: which steps there are, how much a message carries, and how it crosses.
 *
 * In step s, rank r sends chunk (r - s) mod N to rank r + 1, which in the reducing steps computes
 * own = own OP received, and in the gathering steps keeps what it received. A chunk crosses in
 * pieces, numbered through all steps: message m = s * pieces + k is piece k of step s.
 */
#ifndef HEDDLE_COLLECTIVES_RING_MESSAGE_H
#define HEDDLE_COLLECTIVES_RING_MESSAGE_H

#include <stdint.h>

#include "collectives/communicator.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Which steps there are; each count is 0 or ranks - 1. */
struct ring_steps {
  uint32_t reducing;
  uint32_t gathering;
};

/* Elements that one message of the job carries; 0 when a slot holds no element. */
uint64_t ring_piece_elements(const struct boot_job* job);

/* The messages of a job. */
struct ring_plan {
  uint64_t piece_elements;
  uint64_t pieces;   /* of a chunk; the same for all chunks, so some pieces are empty */
  uint64_t reduced;  /* messages 0 ... reduced - 1, of the reducing steps */
  uint64_t messages; /* all */
};
struct ring_plan ring_plan_of(const struct communicator* comm, const struct boot_job* job,
                              struct ring_steps steps, uint64_t piece_elements);

/* The chunk of a step, and the elements of a message, that the rank `behind` ranks behind us sends:
 * 0 we, 1 the previous one. */
struct range ring_chunk(const struct communicator* comm, const struct boot_job* job,
                        uint32_t behind, uint64_t step);
struct range ring_elements(const struct communicator* comm, const struct boot_job* job,
                           const struct ring_plan* plan, uint32_t behind, uint64_t message);

/* Waits for the next message of the previous rank on the channel. */
enum status ring_await(struct communicator* comm, uint32_t channel);

/* The next message to the next rank on the channel: same offset in both windows, unless the
 * destination is a slot. Posted without the doorbell. */
enum status ring_post(struct communicator* comm, uint32_t channel, uint64_t destination,
                      uint64_t source, uint64_t bytes);

#ifdef __cplusplus
}
#endif

#endif
