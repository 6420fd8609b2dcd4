/* A torus of ranks: of up to three sides, the last coordinate fastest in the number of a rank.
 *
 * All-reduce, reduce-scatter and all-gather go by rings, a dimension after the other: along the
 * first one a rank scatters its vector among the ranks of its ring, along the second what it has
 * kept, and so on, then the way back. A vector may be cut into stripes, which begin with different
 * dimensions and go in different directions, so that no two use the same link at a time where the
 * sides are equal.
 *
 * Broadcast goes both ways around the rings of the first dimension, from each rank there along the
 * second, and so on, in segments.
 */
#ifndef HEDDLE_COLLECTIVES_TORUS_H
#define HEDDLE_COLLECTIVES_TORUS_H

#include <stdint.h>

#include "collectives/layout.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TORUS_DIMENSIONS = 3, TORUS_STRIPES = 2 * TORUS_DIMENSIONS, TORUS_SIDE_BITS = 10 };

struct torus {
  uint32_t dimensions;
  uint32_t side[TORUS_DIMENSIONS];
};

/* boot_job.sides: ten bits a side, the first one lowest, 0 behind the last. */
static inline struct torus torus_of(uint32_t sides) {
  struct torus torus = {0, {1, 1, 1}};
  for (; sides != 0 && torus.dimensions < TORUS_DIMENSIONS; sides >>= TORUS_SIDE_BITS) {
    torus.side[torus.dimensions++] = sides & ((UINT32_C(1) << TORUS_SIDE_BITS) - 1);
  }
  return torus;
}

/* 0 where a side has no length. */
static inline uint64_t torus_ranks(const struct torus* torus) {
  uint64_t ranks = 1;
  for (uint32_t i = 0; i < torus->dimensions; ++i) ranks *= torus->side[i];
  return ranks;
}

/* Stripe i begins with dimension i mod dimensions, and goes down instead of up from i = dimensions
 * on. */
static inline uint32_t torus_dimension(const struct torus* torus, uint32_t stripe, uint32_t turn) {
  return (stripe + turn) % torus->dimensions;
}

/* Bytes of a slot for a message along the dimension of that turn: a block of so many ranks' parts
 * of the stripe. */
static inline uint64_t torus_slot_bytes(const struct boot_job* job, uint64_t ranks,
                                        uint64_t block_ranks) {
  const uint64_t stripe = job->elements / job->slots + (job->elements % job->slots != 0);
  const uint64_t longest = stripe / ranks + (stripe % ranks != 0);
  return round_up_to_64(block_ranks * longest * job->element_bytes);
}

/* Where the slots of a turn begin in those of its stripe; behind the last turn: bytes of them all.
 */
static inline uint64_t torus_slots(const struct boot_job* job, const struct torus* torus,
                                   uint32_t stripe, uint32_t turn) {
  const uint64_t ranks = torus_ranks(torus);
  uint64_t block = ranks, offset = 0;
  for (uint32_t i = 0; i < turn; ++i) {
    const uint32_t side = torus->side[torus_dimension(torus, stripe, i)];
    block /= side;
    offset += (side - 1) * torus_slot_bytes(job, ranks, block);
  }
  return offset;
}

#ifdef __cplusplus
}
#endif

#endif
