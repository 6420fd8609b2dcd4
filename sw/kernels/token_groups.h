/* The groups of the persistent kernel of a mixture-of-experts layer (DySHARP IV-C), which one core
 * plays in turn: dispatch stores own tokens at their experts, the GEMM groups give rows to the SMs
 * as they become ready, combine loads the sums of tokens that all experts are done with.
 *
 * Limitations: one core writes one command after the other, about 60 ns each, where the SMs of a
 * group issue many at a time.
 */
#ifndef HEDDLE_TOKEN_GROUPS_H
#define HEDDLE_TOKEN_GROUPS_H

#include "drivers/status.h"
#include "drivers/token_hub.h"
#include "drivers/token_layer.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Runs the layer, which lies at that address, and returns when all own tokens have their results
 * and own experts have served all of theirs. layer->groups is TOKEN_GROUPS_FIRMWARE. */
enum status token_groups_run(struct token_hub* hub, uint64_t at, const struct token_layer* layer);

#ifdef __cplusplus
}
#endif

#endif
