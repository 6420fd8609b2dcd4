# Misaligned accesses: with SERVED they work, otherwise they trap and change nothing. Those of
# atomics always trap.
  .include "bare.inc"
  .text
  .macro loads number, instruction, offset, value
  begin \number
  li t2, 7
#ifdef SERVED
  \instruction t2, \offset(s0)
  li t6, \value
  bne t2, t6, fail
#else
  addi s8, s0, \offset
  la s11, 2f
  la s9, 1f
  li s10, 4
  .align 2
1:
  \instruction t2, \offset(s0)
2:
  bnez s11, fail
  expect t2, 7
  addi s8, s0, \offset
  la s11, 2f
  la s9, 1f
  .align 2
1:
  \instruction zero, \offset(s0)
2:
  bnez s11, fail
#endif
  .endm
  .macro stores number, instruction, offset, load
  begin \number
  li t2, 0x5a5a5a5a
#ifdef SERVED
  \instruction t2, \offset(s1)
  \load t1, \offset(s1)
  li t6, 0x5a5a
  slli t1, t1, __riscv_xlen - 16
  srli t1, t1, __riscv_xlen - 16
  bne t1, t6, fail
#else
  addi s8, s1, \offset
  la s11, 2f
  la s9, 1f
  li s10, 6
  .align 2
1:
  \instruction t2, \offset(s1)
2:
  bnez s11, fail
  lbu t1, \offset(s1)
  bnez t1, fail
#endif
  .endm
  .align 2
test:
  la s0, bytes
  la s1, room
  loads 2, lh, 1, 0x0302
  loads 3, lhu, 3, 0x0504
  loads 4, lw, 1, 0x05040302
  loads 5, lw, 2, 0x06050403
  loads 6, lw, 3, 0x07060504
  stores 10, sh, 1, lhu
  stores 11, sw, 9, lw
  stores 12, sw, 18, lw
  stores 13, sw, 27, lw
#if __riscv_xlen == 64
  loads 20, lwu, 1, 0x05040302
  loads 21, ld, 1, 0x0908070605040302
  loads 22, ld, 4, 0x0c0b0a0908070605
  loads 23, ld, 7, 0x0f0e0d0c0b0a0908
  stores 24, sd, 33, ld
  stores 25, sd, 44, ld
#endif
  begin 30
  addi s2, s0, 2
  mv s8, s2
  la s11, 2f
  la s9, 1f
  li s10, 6
  .align 2
1:
  amoadd.w t2, t2, (s2)
2:
  bnez s11, fail
  la s11, 2f
  la s9, 1f
  li s10, 4
  .align 2
1:
  lr.w t2, (s2)
2:
  bnez s11, fail
  j pass
  strict_handler
  .data
  .align 3
bytes:
  .byte 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16
room:
  .zero 64
