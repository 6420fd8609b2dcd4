/* Meets the other cores at the gate a few times. */
#include "hal/hal.h"
#include "regs/gate_regs.h"

#define ROUNDS UINT32_C(3)

int main(void) {
  const uint64_t gate = hal_device(GATE_BLOCK_ID, 0); /* wherever the netlist maps it */
  if (hal_read32(gate + GATE_ID) != GATE_ID_RESET_VALUE) return 1;
  const uint32_t openings = hal_read32(gate + GATE_OPENINGS);
  for (uint32_t round = 1; round <= ROUNDS; ++round) {
    hal_write32(gate + GATE_ARRIVE, 1);
    if (hal_poll_reached32(gate + GATE_OPENINGS, openings + round, 0) != 0) return 1;
  }
  hal_log("rounds done", ROUNDS);
  return 0;
}
