/* A host that pushes an instruction whose operand lies in nobody's memory. */
#include "collectives/scin.h"
#include "mistake.h"
#include "regs/isa_regs.h"

int main(void) {
  const struct boot_block boot = read_boot();
  const struct isa_operation operation = {
      7, 4096, 0x3, 0x3, ISA_STREAM_OPERATION_SYNC_MASK | ISA_STREAM_OPERATION_NOTIFY_MASK};
  struct scin scin;
  const enum status status = scin_open(&scin, &boot, 1);
  if (status != STATUS_OK) return (int)status;
  scin_set_up(&scin, &boot);
  isa_set_address(scin.registers[0], 0, 0, hal_read64(boot.peers) + 4096);
  isa_set_address(scin.registers[0], 0, 1, 0x1000);
  isa_push(scin.registers[0], 0, &operation);
  return (int)isa_check(scin.registers[0], 0);
}
