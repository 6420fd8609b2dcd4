#include "drivers/rig.h"

#include "hal/hal.h"
#include "regs/rig_regs.h"

_Static_assert((uint32_t)RIG_FILTER == RIG_UNIT_FLAGS_FILTER_MASK, "filter");
_Static_assert((uint32_t)RIG_COALESCE == RIG_UNIT_FLAGS_COALESCE_MASK, "coalesce");

enum status rig_open(struct rig* rig, uint64_t timeout_ns) {
  rig->registers = hal_device(RIG_BLOCK_ID, 0);
  rig->timeout_ns = timeout_ns;
  rig->node = hal_read32(rig->registers + RIG_NODE);
  rig->clients = hal_read32(rig->registers + RIG_CLIENTS);
  for (uint32_t unit = 0; unit < RIG_MOST_UNITS; ++unit) {
    rig->unit[unit].destination = 0;
    rig->unit[unit].count = 0;
    rig->unit[unit].index_bytes = 4;
    rig->unit[unit].flags = 0;
    rig->unit[unit].watchdog_ns = 0;
  }
  hal_write64(rig->registers + RIG_IRQ_ENABLE, UINT64_MAX);
  return STATUS_OK;
}

void rig_set_kernel(struct rig* rig, const struct rig_kernel* kernel) {
  const uint64_t registers = rig->registers;
  hal_write32(registers + RIG_KERNEL, kernel->number & 0xff);
  hal_write32(registers + RIG_NODES, kernel->nodes);
  hal_write64(registers + RIG_ROWS_PER_NODE, kernel->rows_per_node);
  hal_write64(registers + RIG_PROPERTY_BASE, kernel->properties);
  hal_write32(registers + RIG_LENGTH, kernel->length);
  if (kernel->clients != 0 && kernel->clients != rig->clients) {
    hal_write32(registers + RIG_CLIENTS, kernel->clients);
    rig->clients = kernel->clients;
  }
  hal_write32(registers + RIG_CONCATENATION,
              (kernel->shares_packets ? RIG_CONCATENATION_ENABLE_MASK : 0) |
                  kernel->delay << RIG_CONCATENATION_DELAY_POS);
}

enum status rig_clear_filter(struct rig* rig, uint64_t columns) {
  hal_write64(rig->registers + RIG_FILTER_BASE, 0);
  hal_write64(rig->registers + RIG_FILTER_BITS, columns);
  hal_fence();
  hal_write32(rig->registers + RIG_CLEAR, 1);
  hal_fence();
  return hal_poll_equal32(rig->registers + RIG_STATUS, RIG_STATUS_STATE_MASK,
                          RIG_STATUS_STATE_READY, rig->timeout_ns) == 0
             ? STATUS_OK
             : STATUS_TIMEOUT;
}

static uint64_t bank_of(const struct rig* rig, uint32_t unit) {
  return rig->registers + RIG_UNIT_INDICES(unit) - RIG_UNIT_INDICES(0);
}

enum status rig_prepare(struct rig* rig, uint32_t unit, const struct rig_send_request* request) {
  struct rig_unit* const known = &rig->unit[unit];
  const uint64_t bank = bank_of(rig, unit);
  if (request->opcode != WR_RIG) return STATUS_UNSUPPORTED;
  hal_write64(bank + RIG_UNIT_INDICES(0), request->indices);
  if (request->destination != known->destination)
    hal_write64(bank + RIG_UNIT_DESTINATION(0), request->destination);
  if (request->count != known->count || request->count == 0)
    hal_write32(bank + RIG_UNIT_LIST_LENGTH(0), request->count);
  if (request->index_bytes != known->index_bytes)
    hal_write32(bank + RIG_UNIT_INDEX_BYTES(0), request->index_bytes);
  if (request->flags != known->flags) hal_write32(bank + RIG_UNIT_FLAGS(0), request->flags);
  if (request->watchdog_ns != known->watchdog_ns)
    hal_write32(bank + RIG_UNIT_WATCHDOG_NS(0), request->watchdog_ns);
  known->destination = request->destination;
  known->count = request->count;
  known->index_bytes = request->index_bytes;
  known->flags = request->flags;
  known->watchdog_ns = request->watchdog_ns;
  return STATUS_OK;
}

void rig_ring(const struct rig* rig, uint32_t unit) {
  hal_write32(bank_of(rig, unit) + RIG_UNIT_DOORBELL(0), 1);
}

void rig_await(const struct rig* rig, struct rig_ended* ended) {
  hal_wait_for_interrupt();
  const uint64_t status = hal_read64(rig->registers + RIG_IRQ_STATUS);
  if (status != 0) hal_write64(rig->registers + RIG_IRQ_STATUS, status);
  ended->completed = (uint32_t)status;
  ended->failed = (uint32_t)(status >> 32);
}

static void leave(const struct rig* rig, uint32_t unit) {
  hal_write32(bank_of(rig, unit) + RIG_UNIT_CONTROL(0), RIG_UNIT_CONTROL_RESET_MASK);
}

uint32_t rig_reset(const struct rig* rig, uint32_t unit) {
  const uint32_t status = hal_read32(bank_of(rig, unit) + RIG_UNIT_STATUS(0));
  leave(rig, unit);
  return (status & RIG_UNIT_STATUS_ERROR_MASK) >> RIG_UNIT_STATUS_ERROR_POS;
}

void rig_stop(const struct rig* rig, uint32_t units) {
  for (uint32_t unit = 0; unit < RIG_MOST_UNITS; ++unit)
    if (units >> unit & 1) leave(rig, unit);
  hal_fence();
  /* Some may have raised an interrupt before the write reached them. */
  const uint64_t status = hal_read64(rig->registers + RIG_IRQ_STATUS);
  if (status != 0) hal_write64(rig->registers + RIG_IRQ_STATUS, status);
}
