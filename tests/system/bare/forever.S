# Writes a character and then computes without end, for runs that somebody has to end.
  .include "bare.inc"
  .text
  .align 2
test:
  la a1, tohost
  li a0, 0x010100000000000a           # device 1, command 1: a new line
  sd a0, 0(a1)
1:
  addi a2, a2, 1
  j 1b
handler:
  j fail
