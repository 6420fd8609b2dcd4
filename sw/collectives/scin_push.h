/* Instructions of the in-switch accelerators for each collective. */
#ifndef HEDDLE_COLLECTIVES_SCIN_PUSH_H
#define HEDDLE_COLLECTIVES_SCIN_PUSH_H

#include <stdint.h>

#include "collectives/scin_planes.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Pushes what the job needs into the queues of all planes. Whether they took it tells scin_check.
 */
enum status scin_push(const struct scin* scin, const struct boot_block* boot,
                      const struct boot_job* job);

/* The same for one plane alone, so that several cores can share the work. */
enum status scin_push_plane(const struct scin* scin, const struct boot_block* boot,
                            const struct boot_job* job, uint32_t plane);

/* Logs what a plane has refused, if any has; then drops what is queued in all of them. */
enum status scin_check(const struct scin* scin);

#ifdef __cplusplus
}
#endif

#endif
