/* What in-switch accelerators must know before instructions come: who takes part in each stream. */
#ifndef HEDDLE_COLLECTIVES_SCIN_SET_UP_H
#define HEDDLE_COLLECTIVES_SCIN_SET_UP_H

#include "collectives/scin_planes.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The first stream, which is idle, gets its members, all ranks of the boot block. */
void scin_set_up(struct scin* scin, const struct boot_block* boot);

/* Where the job wants other groups, streams or addresses than the one before, the accelerators
 * learn it; they are idle. */
enum status scin_adapt(struct scin* scin, const struct boot_block* boot,
                       const struct boot_job* job);

#ifdef __cplusplus
}
#endif

#endif
