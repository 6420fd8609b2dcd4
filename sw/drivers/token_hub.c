#include "drivers/token_hub.h"

#include "hal/hal.h"
#include "regs/token_hub_regs.h"

#define COMPLETED UINT32_C(1)
#define FAILED UINT32_C(2)
#define READY UINT32_C(4)

void token_hub_open(struct token_hub* hub) {
  hub->registers = hal_device(TOKEN_HUB_BLOCK_ID, 0);
  hub->started = hal_read32(hub->registers + TOKEN_HUB_COMPLETED);
  hal_write32(hub->registers + TOKEN_HUB_IRQ_ENABLE, COMPLETED | FAILED);
}

static void tell_error(uint64_t registers, uint32_t status) {
  /* Rows of characters, not pointers: a table of pointers is not constant. */
  static const char reasons[][40] = {
      [TOKEN_HUB_STATUS_ERROR_NONE] = "token hub: no error",
      [TOKEN_HUB_STATUS_ERROR_BAD_LAYER] = "token hub: the layer makes no sense",
      [TOKEN_HUB_STATUS_ERROR_COUNT] = "token hub: COUNT, more targets than topk",
      [TOKEN_HUB_STATUS_ERROR_EXPERT] = "token hub: EXPERT, there is no such one",
      [TOKEN_HUB_STATUS_ERROR_DUPLICATE] = "token hub: DUPLICATE expert of a token",
      [TOKEN_HUB_STATUS_ERROR_OVERFLOW] = "token hub: OVERFLOW of an expert's block",
      [TOKEN_HUB_STATUS_ERROR_UNMAPPED] = "token hub: UNMAPPED, never dispatched",
      [TOKEN_HUB_STATUS_ERROR_REMOTE] = "token hub: REMOTE GPU refused or erred",
      [TOKEN_HUB_STATUS_ERROR_COMMAND] = "token hub: COMMAND that makes no sense",
      [TOKEN_HUB_STATUS_ERROR_BUS] = "token hub: BUS, an address is wrong",
  };
  const uint32_t code = (status & TOKEN_HUB_STATUS_ERROR_MASK) >> TOKEN_HUB_STATUS_ERROR_POS;
  const uint32_t known = sizeof reasons / sizeof reasons[0];
  hal_log(code < known ? reasons[code] : "token hub: unknown error", code);
  hal_log("token hub: token", hal_read32(registers + TOKEN_HUB_ERROR_TOKEN));
  hal_log("token hub: expert", hal_read32(registers + TOKEN_HUB_ERROR_EXPERT));
}

void token_hub_start(struct token_hub* hub, uint64_t layer) {
  hal_write64(hub->registers + TOKEN_HUB_LAYER, layer);
  hal_fence(); /* the hub reads the descriptor, and what it names, when it starts */
  hal_write32(hub->registers + TOKEN_HUB_START, 1);
  ++hub->started;
}

enum status token_hub_progress(struct token_hub* hub, int* is_done) {
  const uint32_t pending = hal_read32(hub->registers + TOKEN_HUB_IRQ_STATUS);
  hal_write32(hub->registers + TOKEN_HUB_IRQ_STATUS, pending);
  if ((pending & FAILED) != 0) {
    tell_error(hub->registers, hal_read32(hub->registers + TOKEN_HUB_STATUS));
    return STATUS_TOKEN_ERROR;
  }
  *is_done = hal_read32(hub->registers + TOKEN_HUB_COMPLETED) == hub->started;
  return STATUS_OK;
}

void token_hub_tell_ready(struct token_hub* hub, int tells) {
  hal_write32(hub->registers + TOKEN_HUB_IRQ_ENABLE, COMPLETED | FAILED | (tells ? READY : 0));
}

uint32_t token_hub_pop(struct token_hub* hub, enum token_ready what) {
  const uint32_t queue = what == TOKEN_READY_GEMM1   ? TOKEN_HUB_READY_GEMM1
                         : what == TOKEN_READY_GEMM2 ? TOKEN_HUB_READY_GEMM2
                                                     : TOKEN_HUB_READY_TOKEN;
  return hal_read32(hub->registers + queue);
}

void token_hub_issue_row(struct token_hub* hub, enum token_ready what, uint32_t row) {
  const uint32_t to = what == TOKEN_READY_GEMM1 ? TOKEN_HUB_ISSUE_GEMM1 : TOKEN_HUB_ISSUE_GEMM2;
  hal_write32(hub->registers + to, row);
}

enum status token_hub_run(struct token_hub* hub, uint64_t layer) {
  int is_done = 0;
  enum status status = STATUS_OK;
  token_hub_start(hub, layer);
  while (status == STATUS_OK && !is_done) {
    hal_wait_for_interrupt();
    status = token_hub_progress(hub, &is_done);
  }
  return status;
}
