#include "drivers/mesh_dma.h"

#include "hal/hal.h"
#include "regs/mesh_dma_regs.h"

_Static_assert((int)MESH_DMA_COPY == MESH_DMA_OPERATION_OP_COPY, "copy");
_Static_assert((int)MESH_DMA_MULTICAST == MESH_DMA_OPERATION_OP_MULTICAST, "multicast");
_Static_assert((int)MESH_DMA_ADD_F64 == MESH_DMA_OPERATION_OP_ADD_F64, "add");
_Static_assert((int)MESH_DMA_ADD_F32 == MESH_DMA_OPERATION_OP_ADD_F32, "add of 32 bits");
_Static_assert((int)MESH_DMA_ADD_F16 == MESH_DMA_OPERATION_OP_ADD_F16, "add of 16 bits");
_Static_assert((int)MESH_DMA_ADD_F8 == MESH_DMA_OPERATION_OP_ADD_F8, "add of 8 bits");
_Static_assert(MESH_DMA_ADD_F16 + 1 == MESH_DMA_OPERATION_OP_MAX_F16, "maximum");
_Static_assert(MESH_DMA_ADD_F16 + 2 == MESH_DMA_OPERATION_OP_MIN_F16, "minimum");

void mesh_dma_open(struct mesh_dma* dma, const struct boot_block* boot) {
  dma->registers = hal_device(MESH_DMA_BLOCK_ID, 0);
  dma->timeout_ns = boot->timeout_ns;
  dma->started = hal_read32(dma->registers + MESH_DMA_COMPLETED);
}

void mesh_dma_set(struct mesh_dma* dma, const struct mesh_transfer* transfer) {
  hal_write64(dma->registers + MESH_DMA_SOURCE, transfer->source);
  hal_write64(dma->registers + MESH_DMA_DESTINATION, transfer->destination);
  hal_write32(dma->registers + MESH_DMA_LENGTH, transfer->bytes);
  hal_write32(dma->registers + MESH_DMA_OPERATION, (uint32_t)transfer->op);
  if (transfer->op != MESH_DMA_COPY) hal_write64(dma->registers + MESH_DMA_MASK, transfer->mask);
}

void mesh_dma_go(struct mesh_dma* dma) {
  hal_write32(dma->registers + MESH_DMA_START, 1);
  ++dma->started;
}

void mesh_dma_start(struct mesh_dma* dma, const struct mesh_transfer* transfer) {
  if (transfer->bytes == 0) return;
  mesh_dma_set(dma, transfer);
  mesh_dma_go(dma);
}

enum status mesh_dma_wait(const struct mesh_dma* dma) {
  return mesh_dma_wait_for(dma, 0);
}

static enum status wait_for_count(const struct mesh_dma* dma, uint64_t counter, uint32_t count) {
  if (hal_poll_reached32(dma->registers + counter, count, dma->timeout_ns) == 0) return STATUS_OK;
  hal_log("mesh dma: no completion of transfer", count);
  return STATUS_TIMEOUT;
}

enum status mesh_dma_wait_for(const struct mesh_dma* dma, uint32_t rest) {
  return wait_for_count(dma, MESH_DMA_COMPLETED, dma->started - rest);
}

enum status mesh_dma_wait_handed_over(const struct mesh_dma* dma) {
  return wait_for_count(dma, MESH_DMA_HANDED_OVER, dma->started);
}
