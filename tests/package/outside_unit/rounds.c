/* Meets the other cores at the gate a few times. */
#include "hal/hal.h"
#include "regs/gate_regs.h"

#define GATE UINT64_C(0x10000) /* as the netlist maps it */
#define ROUNDS UINT32_C(3)

int main(void) {
  if (hal_read32(GATE + GATE_ID) != GATE_ID_RESET_VALUE) return 1;
  const uint32_t openings = hal_read32(GATE + GATE_OPENINGS);
  for (uint32_t round = 1; round <= ROUNDS; ++round) {
    hal_write32(GATE + GATE_ARRIVE, 1);
    if (hal_poll_reached32(GATE + GATE_OPENINGS, openings + round, 0) != 0) return 1;
  }
  hal_log("rounds done", ROUNDS);
  return 0;
}
