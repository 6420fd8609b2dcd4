/* The steps by which ranks that take no part (fold.h) join a neighbor and get its result.
 */
#ifndef HEDDLE_COLLECTIVES_FOLD_STEPS_H
#define HEDDLE_COLLECTIVES_FOLD_STEPS_H

#include "collectives/fold.h"
#include "collectives/steps.h"

#ifdef __cplusplus
extern "C" {
#endif

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
