/* Collectives by in-switch accelerators (SCIN): every plane's accelerator works on a share of the
 * data. A core that sets jobs up configures the streams and pushes the instructions ahead of time,
 * or rank 0 pushes them on demand; ranks only arrive and wait for their flags.
 *
 * The ranks of a job are cut into groups of as many that follow each other, each with streams of
 * its own, so that groups do not wait for each other; a group's data is cut into parts, one a
 * stream. Both are one unless the job says otherwise.
 *
 * Limitations: every plane numbers its members alike; groups and streams are those of the job that
 * was pushed last, so the jobs of one accelerator do not overlap.
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
  uint32_t groups, streams;             /* that the accelerators are set up for; who pushes knows */
  int has_region;                       /* likewise */
  uint64_t registers[SCIN_MOST_PLANES]; /* of the accelerator of each plane */
  uint8_t member[ISA_MOST_MEMBERS];     /* by rank; for those who push */
};

/* Where there are no in-switch accelerators this does nothing. `pushes`: this core programs them.
 */
enum status scin_open(struct scin* scin, const struct boot_block* boot, int pushes);

/* One of so many shares of a range of elements, a share for each stream of each plane: whole
 * packets, but for the end. */
struct range scin_share(struct range whole, const struct boot_job* job, uint32_t shares,
                        uint32_t share);

/* Shares that have anything to do in a job of so many ranks: the first so many. */
uint32_t scin_active_shares(const struct boot_job* job, uint32_t ranks, uint32_t shares);

/* Stream 0, which is idle, gets its members, all ranks of the boot block. */
void scin_set_up(struct scin* scin, const struct boot_block* boot);

/* Where the job wants other groups, streams or addresses than the one before, the accelerators
 * learn it; they are idle. */
enum status scin_adapt(struct scin* scin, const struct boot_block* boot,
                       const struct boot_job* job);

/* Pushes what the job needs into the queues of all planes. Whether they took it tells scin_check.
 */
enum status scin_push(const struct scin* scin, const struct boot_block* boot,
                      const struct boot_job* job);

/* The same for one plane alone, so that several cores can share the work. */
enum status scin_push_plane(const struct scin* scin, const struct boot_block* boot,
                            const struct boot_job* job, uint32_t plane);

/* Logs what a plane has refused, if any has; then drops what is queued in all of them. */
enum status scin_check(const struct scin* scin);

/* A rank's part: allreduce, reduce, reduce-scatter (chunk r to rank r), all-gather, broadcast,
 * barrier. Roots and chunks are those of the rank's group. */
enum status scin_collective(struct scin* scin, const struct boot_block* boot,
                            const struct boot_job* job);

#ifdef __cplusplus
}
#endif

#endif
