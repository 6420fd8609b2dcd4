/* Collectives by in-switch accelerators (SCIN): every plane's accelerator works on a share of the
 * data. A core that sets jobs up configures the streams (scin_set_up.h) and pushes the instructions
 * ahead of time (scin_push.h), or rank 0 pushes them on demand; ranks only arrive and wait for
 * their flags. A program that sets jobs up finds its calls in the headers that are included here.
 */
#ifndef HEDDLE_COLLECTIVES_SCIN_H
#define HEDDLE_COLLECTIVES_SCIN_H

#include "collectives/scin_planes.h"
#include "collectives/scin_push.h"
#include "collectives/scin_set_up.h"
#include "collectives/scin_share.h"
#include "drivers/status.h"
#include "hal/boot.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A rank's part: allreduce, reduce, reduce-scatter (chunk r to rank r), all-gather, broadcast,
 * barrier. Roots and chunks are those of the rank's group. */
enum status scin_collective(struct scin* scin, const struct boot_block* boot,
                            const struct boot_job* job);

#ifdef __cplusplus
}
#endif

#endif
