/* What the two halves of the SCIN collectives share. */
#ifndef HEDDLE_COLLECTIVES_SCIN_INTERNAL_H
#define HEDDLE_COLLECTIVES_SCIN_INTERNAL_H

#include <stdint.h>

#include "collectives/algorithms.h"
#include "hal/boot.h"

enum { SCIN_STREAM = 0 };

/* The elements of one packet of 128 B, and whole blocks of quantized ones. */
static inline uint64_t scin_unit_elements(const struct boot_job* job) {
  if (job->algorithm != BOOT_SCIN_INQ) return 128 / job->element_bytes;
  const uint64_t packet = 128 * 8 / job->quant_bits;
  return packet > job->quant_block ? packet : job->quant_block;
}

#endif
