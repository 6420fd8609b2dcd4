/* The pipelined ring that all-reduce, reduce-scatter and all-gather share.
 *
 * In step s, rank r sends chunk (r - s) mod N to rank r + 1. In the reducing steps the chunk goes
 * to a receive slot, and the receiver computes own = own OP received; in the gathering steps it
 * goes to its final place. A chunk crosses in pieces, numbered through all steps: message m = s *
 * pieces + k is piece k of step s. Message m + pieces is the same piece, sent on: it may leave as
 * soon as message m has been received and reduced. So the link stays busy from the first message to
 * the last when one step takes longer than a message's way.
 *
 * What that takes of the job and the hardware, where way is the time from a doorbell until the
 * receiver has reduced, and trip the time from the last byte sent until the engine lets the fence
 * pass: slots * slot_bytes >= 1.5 * rate * way, and (channels - 1) * slot_bytes >= rate * trip,
 * because a channel carries one message at a time.
 */
#ifndef HEDDLE_COLLECTIVES_RING_H
#define HEDDLE_COLLECTIVES_RING_H

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

enum status run_ring(struct communicator* comm, const struct boot_job* job,
                     struct ring_steps steps);

/* The same by a chain of descriptors; not pipelined, a message a step. */
enum status run_chained_ring(struct communicator* comm, const struct boot_job* job,
                             struct ring_steps ring);

/* The same in lines (drivers/line.h), which bring their flags: neither fences nor counters. */
enum status run_line_ring(struct communicator* comm, const struct boot_job* job,
                          struct ring_steps steps);

/* Elements that one message of the job carries; 0 when a slot holds no element. */
uint64_t ring_piece_elements(const struct boot_job* job);

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
