/* The in-switch accelerators that a core reaches, one a plane, and which members of theirs the
 * ranks are.
 *
 * Tenants of the accelerators (boot_block.tenants) have as many streams each.
 *
 * Limitations: every plane numbers its members alike; groups and streams are those of the job that
 * was pushed last, so the jobs of one tenant do not overlap.
 */
#ifndef HEDDLE_COLLECTIVES_SCIN_PLANES_H
#define HEDDLE_COLLECTIVES_SCIN_PLANES_H

#include <stdint.h>

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
  uint32_t first_stream;                /* of those that this tenant of the accelerators has */
  uint32_t groups, streams;             /* that the accelerators are set up for; who pushes knows */
  int has_region;                       /* likewise */
  uint64_t registers[SCIN_MOST_PLANES]; /* of the accelerator of each plane */
  uint8_t member[ISA_MOST_MEMBERS];     /* by rank; for those who push */
};

/* Where there are no in-switch accelerators this does nothing. `pushes`: this core programs them.
 */
enum status scin_open(struct scin* scin, const struct boot_block* boot, int pushes);

/* Of so many streams, those that each tenant has. */
static inline uint32_t scin_streams_of_tenant(const struct boot_block* boot, uint32_t streams) {
  return boot->tenants > 1 ? streams / boot->tenants : streams;
}

/* One bit for each of so many ranks, from the first one on. */
uint64_t scin_members(const struct scin* scin, uint32_t first, uint32_t ranks);

#ifdef __cplusplus
}
#endif

#endif
