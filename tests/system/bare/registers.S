# Registers of machine mode: what they are, what can be written, counters, triggers, interrupts.
  .include "bare.inc"
  .text
  .align 2
test:
  begin 2                             # misa: the width, A, C, D, F, I, M, and nothing to choose
  csrr a0, misa
  srli a1, a0, __riscv_xlen - 2
  expect a1, __riscv_xlen / 32
  csrci misa, 4
  csrr a1, misa
  bne a0, a1, fail
  li a1, 0x3ffffff
  and a0, a0, a1
  expect a0, 0x112d

  begin 3
  csrwi mscratch, 3
  csrrci a1, mscratch, 1
  expect a1, 3
  csrrsi a1, mscratch, 4
  expect a1, 2
  csrrwi a1, mscratch, 2
  expect a1, 6
  li a0, 0xbad1dea
  csrrw a0, mscratch, a0
  expect a0, 2
  li a0, 0x1dea
  csrrc a0, mscratch, a0
  expect a0, 0xbad1dea
  csrr a0, mscratch
  expect a0, 0xbad0000

  begin 4
  csrr a0, mhartid
  bnez a0, fail
  csrr a0, mimpid
  csrr a0, marchid
  csrr a0, mvendorid
  csrs mtvec, zero
  csrs mepc, zero

  # What a write of minstret says, the next instruction reads.
  begin 5
  csrwi minstret, 0
  csrr a0, minstret
  bnez a0, fail
  li a0, -1
  csrw minstret, a0
  nop
  csrr a0, minstret
  bnez a0, fail
#if __riscv_xlen == 32
  begin 6                             # a write of either half stands for its own counting
  li t0, -1
  csrw minstret, t0
  csrw minstreth, t0
  nop
  csrr a0, minstret
  bnez a0, fail
  csrr a0, minstreth
  bnez a0, fail
  csrr a0, cycleh
  csrr a0, timeh
  csrr a0, instreth
#endif
  begin 7
  csrr a0, mcycle
  csrr a1, mcycle
  bleu a1, a0, fail
  rdcycle a0
  rdtime a0
  rdinstret a0
  rdinstret a1
  sub a1, a1, a0
  expect a1, 1
  begin 8                             # nothing stops the counters
  li a0, -1
  csrw mcountinhibit, a0
  csrr a0, mcountinhibit
  bnez a0, fail

  begin 9                             # no triggers
  li a0, -1
  csrw tselect, a0
  csrr a1, tselect
  beq a1, a0, fail
  csrr a1, tdata1
  srli a1, a1, __riscv_xlen - 4
  bnez a1, fail

  # A pending interrupt ends WFI though it is masked; once it is not, its vector is called.
  begin 10
  li s0, 0x2000000                    # msip of the clint
  li t0, 1
  sw t0, 0(s0)
  csrwi mie, 8
  wfi
  csrr a0, mip
  andi a0, a0, 8
  beqz a0, fail
  begin 11
  la t0, vectors + 1
  csrw mtvec, t0
  csrsi mstatus, 8
1:
  j 1b
software:
  csrr a0, mcause
  slli a1, a0, 1
  srli a1, a1, 1
  expect a1, 3
  bgez a0, fail
  csrr a0, mstatus
  andi a1, a0, 0x88
  expect a1, 0x80                     # MPIE holds what MIE was
  la t0, trap_vector
  csrw mtvec, t0
  j pass

  .align 8
vectors:
  j fail
  j fail
  j fail
  j software
handler:
  j fail
