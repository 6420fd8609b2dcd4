/* The ring by a chain of descriptors (steps.h): not pipelined, a message a step. */
#ifndef HEDDLE_COLLECTIVES_CHAINED_RING_H
#define HEDDLE_COLLECTIVES_CHAINED_RING_H

#include "collectives/communicator.h"
#include "collectives/ring_message.h"

#ifdef __cplusplus
extern "C" {
#endif

enum status run_chained_ring(struct communicator* comm, const struct boot_job* job,
                             struct ring_steps ring);

#ifdef __cplusplus
}
#endif

#endif
