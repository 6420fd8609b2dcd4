/* Algorithms by powers of two, with any number of ranks: of the first 2 (N - P) ranks, P the
 * largest power of two up to N, the even ones give their vectors to their odd neighbors and take no
 * part; the others have ids 0 ... P - 1 in their order.
 */
#ifndef HEDDLE_COLLECTIVES_FOLD_H
#define HEDDLE_COLLECTIVES_FOLD_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct fold {
  uint32_t ranks;
  uint32_t ids;   /* the power of two */
  uint32_t pairs; /* of ranks with one id */
};

struct fold fold_of(uint32_t ranks);

/* The first rank of those that an id stands for; ranks for the id behind the last one. */
uint32_t fold_first_rank(const struct fold* fold, uint32_t id);
/* The rank that takes part. */
uint32_t fold_rank(const struct fold* fold, uint32_t id);
uint32_t fold_id(const struct fold* fold, uint32_t rank);
int fold_takes_part(const struct fold* fold, uint32_t rank);

#ifdef __cplusplus
}
#endif

#endif
