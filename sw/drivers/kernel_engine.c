#include "drivers/kernel_engine.h"

#include "hal/hal.h"
#include "regs/kernel_engine_regs.h"

#define LIST_ENDED UINT32_C(1)

void kernel_engine_open(struct kernel_engine* engine) {
  engine->registers = hal_device(KERNEL_ENGINE_BLOCK_ID, 0);
  engine->started = hal_read32(engine->registers + KERNEL_ENGINE_COMPLETED);
  hal_write32(engine->registers + KERNEL_ENGINE_IRQ_ENABLE, LIST_ENDED);
}

void kernel_engine_start(struct kernel_engine* engine, const struct kernel_list* list) {
  hal_write64(engine->registers + KERNEL_ENGINE_LIST, list->address);
  hal_write32(engine->registers + KERNEL_ENGINE_KERNELS, list->kernels);
  hal_write32(engine->registers + KERNEL_ENGINE_TAG, list->tag);
  hal_fence(); /* the engine reads the list when it starts */
  hal_write32(engine->registers + KERNEL_ENGINE_START, 1);
  ++engine->started;
}

enum status kernel_engine_wait(struct kernel_engine* engine) {
  while (hal_read32(engine->registers + KERNEL_ENGINE_COMPLETED) != engine->started) {
    hal_wait_for_interrupt();
    hal_write32(engine->registers + KERNEL_ENGINE_IRQ_STATUS, LIST_ENDED);
  }
  const uint32_t status = hal_read32(engine->registers + KERNEL_ENGINE_STATUS);
  const uint32_t error =
      (status & KERNEL_ENGINE_STATUS_ERROR_MASK) >> KERNEL_ENGINE_STATUS_ERROR_POS;
  if (error == KERNEL_ENGINE_STATUS_ERROR_NONE) return STATUS_OK;
  hal_log("kernel engine: its error code", error);
  return STATUS_KERNEL_ERROR;
}
