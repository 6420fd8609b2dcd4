/* What the collectives expect of a rank's memory: the counters that peers write, and what lies in
 * the scratch memory. The platform sizes both with the functions below.
 */
#ifndef HEDDLE_COLLECTIVES_LAYOUT_H
#define HEDDLE_COLLECTIVES_LAYOUT_H

#include <stdint.h>

#include "drivers/line.h"
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
  FLAG_MULTICAST = 140,  /* 64 bits: arrivals at barriers that all ranks count together */
  FLAG_SCIN = 144,       /* 64 bits: completions of all in-switch accelerators, then their error */
  FLAG_TREE = 146,       /* + 2 * tree, 64 bits: segments that its aggregators finished, an error */
  FLAG_TREE_PLACE = 162, /* + 4 * tree: struct tree_place, which the manager of the trees writes */
  FLAG_DIRECT = 194,     /* + rank: contributions from it; + ranks + rank: results from it */
};

/* Behind those of the ranks, at flag_behind(ranks, index). */
enum late_flag_index {
  FLAG_FOLD = 0,      /* 0: the vector of a rank that takes no part itself; 1: its result */
  FLAG_TREE_UP = 2,   /* + 2 * tree + child: segments from that child */
  FLAG_TREE_DOWN = 6, /* + tree: segments from the parent */
  FLAG_CHAIN = 8,     /* + channel: how far the engine has come, written by itself */
  FLAG_TORUS = 24,    /* + 6 * stripe: messages of its scattering and of its gathering, a dimension
                       * each; of a broadcast the first */
  FLAG_LINES = 60,    /* messages in lines that the next rank of the ring has taken */
  LATE_FLAGS = 61
};

static inline uint32_t flag_behind(uint32_t ranks, uint32_t index) {
  return FLAG_DIRECT + 2 * ranks + index;
}

/* Bytes of the counter area of each rank: boot_block.flag_bytes must be no less. */
static inline uint64_t flag_area_bytes(uint32_t ranks) {
  return (uint64_t)sizeof(uint32_t) * (FLAG_DIRECT + 2 * (uint64_t)ranks + LATE_FLAGS);
}

static inline uint64_t round_up_to_64(uint64_t bytes) {
  return (bytes + 63) / 64 * 64;
}

/* Receive slots at boot_block.lines. Nothing but lines is ever written there, so that a flag is
 * never mistaken: each count comes once, and what is left of an earlier message has another. */
enum { LINE_SLOTS = 16 };
static inline uint64_t line_slot_bytes(void) {
  return LINES_OF_MESSAGE * LINE_BYTES;
}

/* Bytes of a region that receives one chunk of a vector cut into `parts`. */
static inline uint64_t receive_region_bytes(const struct boot_job* job, uint64_t parts) {
  const uint64_t longest = job->elements / parts + (job->elements % parts != 0);
  return round_up_to_64(longest * job->element_bytes);
}

/* Halving: where the region of a level begins in scratch memory. A longest chunk more than its
 * ranks have is the most that a half can hold; region 0 is that of the fold, where there is one. */
static inline uint64_t halving_region(const struct boot_job* job, uint32_t ranks, uint32_t level) {
  const uint64_t longest = job->elements / ranks + (job->elements % ranks != 0);
  uint64_t ids = 1;
  while (ids <= ranks / 2) ids *= 2;
  const uint64_t pairs = ranks - ids;
  uint64_t offset = pairs == 0 ? 0 : receive_region_bytes(job, 1);
  for (uint32_t i = 0; i < level; ++i) {
    const uint64_t half = ids >> (i + 1);
    offset += round_up_to_64((half + (half < pairs ? half : pairs)) * longest * job->element_bytes);
  }
  return offset;
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
