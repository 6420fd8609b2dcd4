/* What the collectives expect of a rank's memory: the counters that peers write, and what lies in
 * the scratch memory. The platform sizes both with the functions below.
 */
#ifndef HEDDLE_COLLECTIVES_LAYOUT_H
#define HEDDLE_COLLECTIVES_LAYOUT_H

#include <stdint.h>

#include "hal/boot.h"

/* Indices into the array of 32-bit counters at boot_block.flags. A counter has one writer, goes up
 * by one with every message and is never cleared: it works across all the jobs of one boot.
 * Channels are those of the writing DMA engine, because only within a channel is there an order. */
enum flag_index {
  FLAG_RING_DATA = 0,    /* + channel: messages from the previous rank of the ring */
  FLAG_RING_CREDIT = 16, /* + channel: receive slots that the next rank has emptied */
  FLAG_HALVING = 32,     /* + level: halves from the partner of the level */
  FLAG_DOUBLING = 64,    /* + level: results from the partner of the level */
  FLAG_BARRIER = 96,     /* + round */
  FLAG_POINT_TO_POINT = 128,
  FLAG_MULTICAST = 140, /* 64 bits: arrivals at barriers that all ranks count together */
  FLAG_SCIN = 144,      /* 64 bits: completions of all in-switch accelerators, then their error */
  FLAG_TREE = 146,      /* + 2 * tree, 64 bits: segments that its aggregators finished, an error */
  FLAG_TREE_PLACE = 162, /* + 4 * tree: struct tree_place, which the manager of the trees writes */
  FLAG_DIRECT = 194,    /* + rank: contributions from it; + ranks + rank: results from it */
};

/* Bytes of the counter area of each rank: boot_block.flag_bytes must be no less. */
static inline uint64_t flag_area_bytes(uint32_t ranks) {
  return (uint64_t)sizeof(uint32_t) * (FLAG_DIRECT + 2 * (uint64_t)ranks);
}

static inline uint64_t round_up_to_64(uint64_t bytes) {
  return (bytes + 63) / 64 * 64;
}

/* Bytes of a region that receives one chunk of a vector cut into `parts`. */
static inline uint64_t receive_region_bytes(const struct boot_job* job, uint64_t parts) {
  const uint64_t longest = job->elements / parts + (job->elements % parts != 0);
  return round_up_to_64(longest * job->element_bytes);
}

/* Quantized operands lie in the scratch memory: the elements, then their fp16 scales. */
enum { QUANTIZATION_SCALE_BYTES = 2 };
static inline uint64_t scales_offset(const struct boot_job* job) {
  return round_up_to_64((job->elements * job->quant_bits + 7) / 8);
}
static inline uint64_t scales_bytes(const struct boot_job* job) {
  return (job->elements + job->quant_block - 1) / job->quant_block * QUANTIZATION_SCALE_BYTES;
}

#endif
