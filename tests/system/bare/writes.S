# Instructions that write more than one register: atomics and accesses to CSRs.
  .include "bare.inc"
  .text
  .align 2
test:
  la s0, word
  li t0, 5
  li t1, -1
  lr.w a0, (s0)
  sc.w a1, t0, (s0)
  sc.w a1, t1, (s0)                   # without a reservation
  amoadd.w a2, t0, (s0)
  amomaxu.w a3, t1, (s0)
  amoswap.w x0, t0, (s0)
  amoadd.w x0, t1, (s0)
  csrrw a4, mscratch, t0
  csrrsi a5, mscratch, 2
  csrrs a6, mscratch, x0
  csrw mepc, t1                       # bit 0 is always 0
  lw a0, 0(s0)
  expect a0, 4
  j pass
handler:
  j fail
  .data
  .align 3
word:
  .word 7
