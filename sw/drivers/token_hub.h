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

/* Runs the layer whose descriptor (drivers/token_layer.h) lies at that address, and returns when
 * all own tokens have their results. STATUS_TOKEN_ERROR, with a log of what is wrong, when the hub
 * gives up. */
enum status token_hub_run(struct token_hub* hub, uint64_t layer);

#ifdef __cplusplus
}
#endif

#endif
