/* Collectives by in-switch accelerators (SCIN): every plane's accelerator works on a share of the
 * data. A core that sets jobs up configures the streams and pushes the instructions ahead of time,
 * or rank 0 pushes them on demand; ranks only arrive and wait for their flags.
 *
 * Limitations: every plane numbers its members alike; all jobs use stream 0.
 */
#ifndef HEDDLE_COLLECTIVES_SCIN_H
#define HEDDLE_COLLECTIVES_SCIN_H

#include <stdint.h>

#include "collectives/partition.h"
#include "drivers/isa.h"
#include "drivers/status.h"
#include "hal/boot.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SCIN_MOST_PLANES 16

struct scin {
  uint32_t planes;
  uint32_t completions;                 /* of all planes, free-running as the flag counts */
  uint64_t registers[SCIN_MOST_PLANES]; /* of the accelerator of each plane */
  uint8_t member[ISA_MOST_MEMBERS];     /* by rank; for those who push */
};

/* Where there are no in-switch accelerators this does nothing. `pushes`: this core programs them.
 */
enum status scin_open(struct scin* scin, const struct boot_block* boot, int pushes);

/* The part of a range of elements that a plane works on: whole packets, but for the end. */
struct range scin_share(struct range whole, const struct boot_job* job, uint32_t planes,
                        uint32_t plane);

/* Planes that have anything to do in the job: the first so many. */
uint32_t scin_active_planes(const struct boot_job* job, uint32_t ranks, uint32_t planes);

/* Streams that are idle get their members, all ranks of the boot block. */
void scin_set_up(const struct scin* scin, const struct boot_block* boot);

/* Pushes what the job needs into the queues of all planes. Whether they took it tells scin_check.
 */
enum status scin_push(const struct scin* scin, const struct boot_block* boot,
                      const struct boot_job* job);

/* Logs what a plane has refused, if any has; then drops what is queued in all of them. */
enum status scin_check(const struct scin* scin);

/* A rank's part: allreduce, reduce, reduce-scatter (chunk r to rank r), all-gather, broadcast. */
enum status scin_collective(struct scin* scin, const struct boot_block* boot,
                            const struct boot_job* job);

#ifdef __cplusplus
}
#endif

#endif
