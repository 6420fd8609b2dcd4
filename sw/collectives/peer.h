/* Where the other ranks' memory is. */
#ifndef HEDDLE_COLLECTIVES_PEER_H
#define HEDDLE_COLLECTIVES_PEER_H

#include <stdint.h>

#include "hal/boot.h"
#include "hal/hal.h"

/* Base of the rank's memory window: a read of the table that the boot block names. */
static inline uint64_t peer_window(const struct boot_block* boot, uint32_t rank) {
  return hal_read64(boot->peers + rank * sizeof(uint64_t));
}

#endif
