#include "drivers/tor.h"

#include "hal/hal.h"
#include "regs/tor_regs.h"

#define TOR_LONGEST_LINE 512

enum status tor_set_kernel(uint64_t registers, const struct tor_kernel* kernel,
                           uint64_t timeout_ns) {
  const int caches = kernel->caches && kernel->length <= TOR_LONGEST_LINE;
  hal_write32(registers + TOR_CONTROL, (kernel->is_enabled ? TOR_CONTROL_ENABLE_MASK : 0) |
                                           (caches ? TOR_CONTROL_CACHE_MASK : 0) |
                                           (kernel->inserts_all ? TOR_CONTROL_SCOPE_MASK : 0) |
                                           kernel->delay << TOR_CONTROL_DELAY_POS);
  hal_write32(registers + TOR_KERNEL, kernel->number & 0xff);
  if (!caches) return STATUS_OK;
  hal_write32(registers + TOR_LENGTH, kernel->length);
  hal_fence();
  hal_write32(registers + TOR_INVALIDATE, 1);
  hal_fence();
  return hal_poll_equal32(registers + TOR_STATUS, TOR_STATUS_STATE_MASK, TOR_STATUS_STATE_READY,
                          timeout_ns) == 0
             ? STATUS_OK
             : STATUS_TIMEOUT;
}
