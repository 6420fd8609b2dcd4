#include "drivers/gemm_engine.h"

#include "hal/hal.h"
#include "regs/gemm_engine_regs.h"

void gemm_engine_open(struct gemm_engine* engine, uint64_t registers, uint64_t timeout_ns) {
  engine->registers = registers;
  engine->timeout_ns = timeout_ns;
  engine->started = hal_read32(registers + GEMM_ENGINE_COMPLETED);
}

void gemm_engine_set_shape(const struct gemm_engine* engine, uint32_t rows, uint32_t columns,
                           uint32_t depth) {
  hal_write32(engine->registers + GEMM_ENGINE_ROWS, rows);
  hal_write32(engine->registers + GEMM_ENGINE_COLUMNS, columns);
  hal_write32(engine->registers + GEMM_ENGINE_DEPTH, depth);
}

void gemm_engine_start(struct gemm_engine* engine, const struct gemm_operation* operation) {
  hal_write64(engine->registers + GEMM_ENGINE_A, operation->a);
  hal_write64(engine->registers + GEMM_ENGINE_B, operation->b);
  hal_write64(engine->registers + GEMM_ENGINE_C, operation->c);
  hal_write32(engine->registers + GEMM_ENGINE_OPERATION,
              operation->adds ? GEMM_ENGINE_OPERATION_OP_ADD : GEMM_ENGINE_OPERATION_OP_SET);
  hal_fence(); /* the engine must see the data whose flag this core has seen */
  hal_write32(engine->registers + GEMM_ENGINE_START, 1);
  ++engine->started;
}

enum status gemm_engine_wait(const struct gemm_engine* engine) {
  if (hal_poll_reached32(engine->registers + GEMM_ENGINE_COMPLETED, engine->started,
                         engine->timeout_ns) == 0) {
    return STATUS_OK;
  }
  const uint32_t status = hal_read32(engine->registers + GEMM_ENGINE_STATUS);
  const uint32_t state = (status & GEMM_ENGINE_STATUS_STATE_MASK) >> GEMM_ENGINE_STATUS_STATE_POS;
  hal_log("gemm engine: no completion of operation", engine->started);
  if (state != GEMM_ENGINE_STATUS_STATE_ERROR) return STATUS_TIMEOUT;
  hal_log("gemm engine: its error code",
          (status & GEMM_ENGINE_STATUS_ERROR_MASK) >> GEMM_ENGINE_STATUS_ERROR_POS);
  return STATUS_GEMM_ERROR;
}
