# The time that rdtime reads is mtime of the clint: its ticks, and what software writes.
  .include "bare.inc"
  .set mtimecmp, 0x2004000
  .set mtime, 0x200bff8

  .macro read_mtime low, high
#if __riscv_xlen == 64
  ld \low, 0(s0)
  srli \high, \low, 32
#else
1:
  lw \high, 4(s0)
  lw \low, 0(s0)
  lw t6, 4(s0)
  bne t6, \high, 1b
#endif
  .endm
  .macro read_time low, high
#if __riscv_xlen == 64
  rdtime \low
  srli \high, \low, 32
#else
1:
  rdtimeh \high
  rdtime \low
  rdtimeh t6
  bne t6, \high, 1b
#endif
  .endm
  # As one word, or its upper half last and a lower one that does not carry in between.
  .macro write_mtime low, high
#if __riscv_xlen == 64
  li t0, \high
  slli t0, t0, 32
  li t1, \low
  add t0, t0, t1
  sd t0, 0(s0)
#else
  li t0, \low
  sw zero, 0(s0)
  li t1, \high
  sw t1, 4(s0)
  sw t0, 0(s0)
#endif
  fence
  .endm

  .text
  .align 2
test:
  li s0, mtime
  begin 2                             # between two reads of mtime
  read_mtime a0, a1
  read_time a2, a3
  read_mtime a4, a5
  bltu a2, a0, fail
  bltu a4, a2, fail
  bne a1, a3, fail

  begin 3                             # software sets it back
  write_mtime 5, 0
  read_time a2, a3
  bnez a3, fail
  li t0, 5
  bltu a2, t0, fail
  read_mtime a4, a5
  bltu a4, a2, fail
  li t0, 10000                        # ticks since then
  bgeu a4, t0, fail

  begin 4                             # and far ahead
  write_mtime 0x10, 0x7654321
  read_time a2, a3
  expect a3, 0x7654321
  read_mtime a4, a5
  bltu a4, a2, fail

  begin 5                             # the lower half carries into the upper one
  write_mtime 0x7ffffff0, 0x9
  read_time a2, a3
  expect a3, 9
#if __riscv_xlen == 32
  li t0, -16
  sw t0, 0(s0)
  fence
1:
  rdtimeh a3
  li t0, 9
  beq a3, t0, 1b
  expect a3, 10
  rdtime a2
  li t0, 10000
  bgeu a2, t0, fail
#endif

  begin 6                             # the interrupt comes when the time has come
  write_mtime 0, 0
  li t0, mtimecmp
  li t1, 2000
  sw t1, 0(t0)
  sw zero, 4(t0)
  fence
  li t0, 0x80                         # MTIE
  csrw mie, t0
  csrr a0, mip
  andi a0, a0, 0x80
  bnez a0, fail
  wfi
  rdtime a2
  bltu a2, t1, fail
  csrr a0, mip
  andi a0, a0, 0x80
  beqz a0, fail
  j pass
handler:
  j fail
