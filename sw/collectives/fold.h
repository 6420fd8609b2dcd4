/* Algorithms by powers of two, with any number of ranks: of the first 2 (N - P) ranks, P the
 * largest power of two up to N, the even ones give their vectors to their odd neighbors and take no
 * part; the others have ids 0 ... P - 1 in their order.
 */
#ifndef HEDDLE_COLLECTIVES_FOLD_H
#define HEDDLE_COLLECTIVES_FOLD_H

#include "collectives/steps.h"

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

/* The first step: whole vectors go to the neighbors, which reduce them; `region` has room for one
 * at each. Counters have that count. */
enum status fold_in(struct steps* steps, const struct fold* fold, uint64_t region, uint32_t count);
/* A step back or forth between neighbors: from the one that takes part to the one that does not, or
 * with `is_inward` the other way; elements in place. */
enum status fold_exchange(struct steps* steps, const struct fold* fold, struct range range,
                          int is_inward, uint32_t count);

#ifdef __cplusplus
}
#endif

#endif
