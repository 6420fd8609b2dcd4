# Endless loops that do nothing, which end when an interrupt comes, and none does: END says 0 a jump to
# itself, 1 likewise with an interrupt enabled, 2 behind WFI.
  .include "bare.inc"
  .text
  .align 2
test:
  .if END == 1
  li a0, 0x800
  csrw mie, a0                        # external interrupts
  csrsi mstatus, 8
  .endif
  .if END == 2
  wfi
  .endif
  .globl park
park:
  j park
handler:
  j fail
