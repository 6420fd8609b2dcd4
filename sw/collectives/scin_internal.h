/* What the two halves of the SCIN collectives share. */
#ifndef HEDDLE_COLLECTIVES_SCIN_INTERNAL_H
#define HEDDLE_COLLECTIVES_SCIN_INTERNAL_H

#include <stdint.h>

#include "collectives/algorithms.h"
#include "collectives/scin.h"
#include "hal/boot.h"

/* The elements of one packet of 128 B, and whole blocks of quantized ones. */
static inline uint64_t scin_unit_elements(const struct boot_job* job) {
  if (job->algorithm != BOOT_SCIN_INQ) return 128 / job->element_bytes;
  const uint64_t packet = 128 * 8 / job->quant_bits;
  return packet > job->quant_block ? packet : job->quant_block;
}

static inline uint32_t scin_groups(const struct boot_job* job) {
  return job->groups != 0 ? job->groups : 1;
}

/* Streams of a group: each has a part of its data. */
static inline uint32_t scin_streams(const struct boot_job* job) {
  return job->slots != 0 ? job->slots : 1;
}

/* What a share of a group's data goes through: shares take the planes in turn. */
struct scin_place {
  uint32_t plane;
  uint32_t stream; /* of that plane's accelerator */
};
static inline struct scin_place scin_place_of(const struct boot_job* job, uint32_t planes,
                                              uint32_t group, uint32_t share) {
  const struct scin_place place = {share % planes, group * scin_streams(job) + share / planes};
  return place;
}

/* One bit for each of so many ranks, from the first one on. */
uint64_t scin_members(const struct scin* scin, uint32_t first, uint32_t ranks);

#endif
