# Ends by an ecall that nobody handles.
  .include "bare.inc"
  .text
  .align 2
test:
  csrw mtvec, zero
  li a0, 0
  ecall
handler:
  j fail
