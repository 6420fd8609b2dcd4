/* Driver of the hub that runs mixture-of-experts layers. One layer at a time; its end is told by an
 * interrupt.
 *
 * Limitations: one core owns the hub; an error is final.
 */
#ifndef HEDDLE_TOKEN_HUB_H
#define HEDDLE_TOKEN_HUB_H

#include <stdint.h>

#include "drivers/status.h"

#ifdef __cplusplus
extern "C" {
#endif

struct token_hub {
  uint64_t registers;
  uint32_t started; /* free-running, like the hub's count of completed layers */
};

void token_hub_open(struct token_hub* hub);

/* What the token tracker has ready: rows of own experts, and own tokens. */
enum token_ready { TOKEN_READY_GEMM1, TOKEN_READY_GEMM2, TOKEN_READY_TOKEN };
#define TOKEN_NONE_READY UINT32_MAX
#define TOKEN_NUMBER(ready) ((ready)&0xffffu)
#define TOKEN_TARGETS(ready) ((ready) >> 16)

/* Starts the layer whose descriptor (drivers/token_layer.h) lies at that address. */
void token_hub_start(struct token_hub* hub, uint64_t layer);
/* After an interrupt, whose causes it clears: whether the layer is done. STATUS_TOKEN_ERROR, with a
 * log of what is wrong, when the hub has given up. */
enum status token_hub_progress(struct token_hub* hub, int* is_done);
/* Whether what becomes ready raises the interrupt, too. */
void token_hub_tell_ready(struct token_hub* hub, int tells);
/* Takes the next one, or TOKEN_NONE_READY. A token comes with how many experts it has. */
uint32_t token_hub_pop(struct token_hub* hub, enum token_ready what);
/* Gives a row that was popped to the SMs, for the same step. */
void token_hub_issue_row(struct token_hub* hub, enum token_ready what, uint32_t row);

/* Runs the layer whose descriptor (drivers/token_layer.h) lies at that address, and returns when
 * all own tokens have their results. STATUS_TOKEN_ERROR, with a log of what is wrong, when the hub
 * gives up. */
enum status token_hub_run(struct token_hub* hub, uint64_t layer);

#ifdef __cplusplus
}
#endif

#endif
