# Reservations, atomics, and code that changes itself.
  .include "bare.inc"
  .text
  .align 2
test:
  la s0, word
  begin 2                             # without a reservation
  sc.w a0, s0, (s0)
  beqz a0, fail
  lw a1, 0(s0)
  expect a1, 5
  begin 3
  lr.w a1, (s0)
  addi a1, a1, 1
  sc.w a0, a1, (s0)
  bnez a0, fail
  lw a1, 0(s0)
  expect a1, 6
  begin 4                             # a second one finds it used up
  sc.w a0, zero, (s0)
  beqz a0, fail
  begin 5                             # elsewhere
  lr.w a1, (s0)
  addi s1, s0, 1024
  sc.w a0, a1, (s1)
  beqz a0, fail
  begin 6
  li a2, -3
  amomax.w a1, a2, (s0)
  expect a1, 6
  amominu.w a1, a2, (s0)
  expect a1, 6
  amomin.w a1, a2, (s0)
  expect a1, 6
  lw a1, 0(s0)
  expect a1, -3

  begin 7                             # addi a0, a0, 1 becomes addi a0, a0, 77
  li a0, 0
  la t0, patched
  lw t1, replacement
  jal run_patched
  expect a0, 1
  sw t1, 0(t0)
  fence.i
  jal run_patched
  expect a0, 78
  j pass
run_patched:
  .align 2
patched:
  addi a0, a0, 1
  ret
replacement:
  addi a0, a0, 77
handler:
  j fail
  .data
  .align 3
word:
  .word 5
  .zero 2044
