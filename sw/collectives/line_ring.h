/* The ring in lines (drivers/line.h), which bring their flags: neither fences nor counters. */
#ifndef HEDDLE_COLLECTIVES_LINE_RING_H
#define HEDDLE_COLLECTIVES_LINE_RING_H

#include "collectives/communicator.h"
#include "collectives/ring_message.h"

#ifdef __cplusplus
extern "C" {
#endif

enum status run_line_ring(struct communicator* comm, const struct boot_job* job,
                          struct ring_steps steps);

#ifdef __cplusplus
}
#endif

#endif
