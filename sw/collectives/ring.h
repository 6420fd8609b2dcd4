/* The ring that all-reduce, reduce-scatter and all-gather share. It is pipelined, unless the job
 * asks for the ring in a chain of descriptors (chained_ring.h) or in lines (line_ring.h).
 *
 * A message of the reducing steps goes to a receive slot, one of the gathering steps to its final
 * place. Message m + pieces is the same piece as message m, sent on: it may leave as soon as
 * message m has been received and reduced. So the link stays busy from the first message to the
 * last when one step takes longer than a message's way.
 *
 * What that takes of the job and the hardware, where way is the time from a doorbell until the
 * receiver has reduced, and trip the time from the last byte sent until the engine lets the fence
 * pass: slots * slot_bytes >= 1.5 * rate * way, and (channels - 1) * slot_bytes >= rate * trip,
 * because a channel carries one message at a time.
 */
#ifndef HEDDLE_COLLECTIVES_RING_H
#define HEDDLE_COLLECTIVES_RING_H

#include "collectives/communicator.h"
#include "collectives/ring_message.h"

#ifdef __cplusplus
extern "C" {
#endif

enum status run_ring(struct communicator* comm, const struct boot_job* job,
                     struct ring_steps steps);

#ifdef __cplusplus
}
#endif

#endif
