/* What the mistaken firmware of a mixture-of-experts layer has in common. */
#ifndef HEDDLE_TESTS_MOE_MISTAKE_H
#define HEDDLE_TESTS_MOE_MISTAKE_H

#include "drivers/token_hub.h"
#include "drivers/token_layer.h"
#include "hal/boot.h"
#include "hal/hal.h"

/* Lets the hub do one layer, and flips bits in the first element of the first own token's result,
 * which is a BF16 number. */
static inline enum status flip_result(uint32_t flipped) {
  struct boot_block boot;
  struct token_hub hub;
  struct token_layer layer;
  uint16_t element;
  hal_read_block(&boot, hal_boot_address(), sizeof boot);
  token_hub_open(&hub);
  const uint32_t number = hal_next_job();
  hal_read_block(&layer, boot.job, sizeof layer);
  hal_mark(HAL_MARK_START, number);
  const enum status status = token_hub_run(&hub, boot.job);
  hal_read_block(&element, layer.results, sizeof element);
  element = (uint16_t)(element ^ flipped);
  hal_write_block(layer.results, &element, sizeof element);
  hal_mark(HAL_MARK_END, number);
  return status;
}

#endif
