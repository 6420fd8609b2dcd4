#include "drivers/dymultimem.h"

#include "drivers/arithmetic.h"
#include "hal/hal.h"
#include "regs/token_hub_regs.h"

enum status dymultimem_open(struct dymultimem* dy, uint64_t ring, uint32_t entries) {
  if (!is_power_of_two(entries) || entries < DYMULTIMEM_BATCH) {
    hal_log("dymultimem: a ring has a power of two of commands, a batch at least, but", entries);
    return STATUS_BAD_JOB;
  }
  dy->registers = hal_device(TOKEN_HUB_BLOCK_ID, 0);
  dy->ring = ring;
  dy->entries = entries;
  dy->batched = 0;
  dy->posted = dy->taken = hal_read32(dy->registers + TOKEN_HUB_TAKEN);
  hal_write64(dy->registers + TOKEN_HUB_RING, ring);
  hal_write32(dy->registers + TOKEN_HUB_RING_ENTRIES, entries);
  return STATUS_OK;
}

uint32_t dymultimem_room(struct dymultimem* dy) {
  const uint32_t known = dy->entries - (dy->posted - dy->taken);
  if (known >= DYMULTIMEM_BATCH) return known;
  dy->taken = hal_read32(dy->registers + TOKEN_HUB_TAKEN);
  return dy->entries - (dy->posted - dy->taken);
}

static void write_batch(struct dymultimem* dy) {
  if (dy->batched == 0) return;
  const uint32_t first = (dy->posted - dy->batched) % dy->entries;
  hal_write_block(dy->ring + (uint64_t)first * sizeof dy->batch[0], dy->batch,
                  dy->batched * sizeof dy->batch[0]);
  dy->batched = 0;
  hal_fence(); /* the hub reads the ring */
  hal_write32(dy->registers + TOKEN_HUB_POSTED, dy->posted);
}

static void post(struct dymultimem* dy, const struct dymultimem_command* command) {
  dy->batch[dy->batched++] = *command;
  ++dy->posted;
  if (dy->batched == DYMULTIMEM_BATCH || dy->posted % dy->entries == 0) write_batch(dy);
}

void dymultimem_st(struct dymultimem* dy, uint64_t address, uint64_t value, uint32_t count,
                   uint64_t list) {
  const struct dymultimem_command command = {
      DYMULTIMEM_ST, DYMULTIMEM_DISPATCH, count, address, value, list};
  post(dy, &command);
}

void dymultimem_ld_reduce(struct dymultimem* dy, uint64_t value, uint64_t address, uint32_t count,
                          uint64_t list) {
  const struct dymultimem_command command = {
      DYMULTIMEM_LD_REDUCE, DYMULTIMEM_COMBINE, count, address, value, list};
  post(dy, &command);
}

void dymultimem_flush(struct dymultimem* dy) {
  write_batch(dy);
}
