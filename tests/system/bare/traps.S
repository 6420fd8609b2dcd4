# Every trap that firmware can meet: cause, address, value, and what was not done.
  .include "bare.inc"
  .text
  .align 2
test:
  # Nothing but machine mode: MPP stays, whatever is written.
  begin 2
  csrr a0, mstatus
  li a1, 0x1800
  and a0, a0, a1
  bne a0, a1, fail
  csrc mstatus, a1
  csrr a0, mstatus
  and a0, a0, a1
  bne a0, a1, fail

  # Illegal instructions; mtval holds their bits.
  begin 3
  traps 2, 0, .word 0
  traps 2, 0xffffffff, .word 0xffffffff
  begin 4
  traps 2, 0x10200073, .word 0x10200073           # sret
  traps 2, 0x12000073, .word 0x12000073           # sfence.vma
  begin 5
  traps 2, 0x18001073, csrw satp, zero
  traps 2, 0x180023f3, csrr t2, satp
  traps 2, 0x30201073, csrw medeleg, zero
  traps 2, 0x30301073, csrw mideleg, zero
  traps 2, 0x74701073, csrw 0x747, zero           # mseccfg
  traps 2, 0x74445073, csrwi 0x744, 8
  begin 6                                         # read-only
  li t2, 7
  traps 2, 0xc00013f3, csrrw t2, cycle, zero
  expect t2, 7
  traps 2, 0xf1401073, csrw mhartid, zero
#if __riscv_xlen == 32
  begin 7
  traps 2, 0x02051513, .word 0x02051513           # slli a0, a0, 32
  traps 2, 0x0000b283, .word 0x0000b283           # ld
#endif

  # Breakpoints stand at their own address, the short one too.
  begin 8
  la s11, 2f
  li s10, 3
  la s9, 1f
  mv s8, s9
1:
  ebreak
  j fail
2:
  bnez s11, fail
  la s11, 2f
  la s9, 1f
  mv s8, s9
  .option rvc
1:
  c.ebreak
  c.j 3f
  .option norvc
3:
  j fail
  .align 2
2:
  bnez s11, fail

  # A jump to nowhere has happened: rd is written, the fault is at the target.
  begin 9
  la s11, 1f
  li s10, 1
  li s9, 0x40000000
  mv s8, s9
  li t2, 0
  jalr t2, 0(s9)
1:
  bnez s11, fail
  la t0, 1b
  bne t2, t0, fail
  # The lowest bit of a target counts for nothing; the next one is that of a short instruction.
  begin 10
  la t0, 1f
  jalr t2, 1(t0)
1:
  j 1f
  j fail
1:
  begin 11
  la t0, 1f
  jalr t2, 2(t0)
1:
  .option rvc
  c.j 2f
  c.j 3f
2:
  .option norvc
  j fail
3:

  # Accesses that nobody answers change nothing.
  begin 12
  li a0, 0x40000000
  li t2, 7
  traps 5, 0x40000000, lw t2, 0(a0)
  expect t2, 7
  traps 5, 0x40000004, lbu t2, 4(a0)
  traps 7, 0x40000000, sw t2, 0(a0)
  traps 7, 0x40000000, amoadd.w t2, t2, (a0)
  expect t2, 7
  traps 5, 0x40000000, lr.w t2, (a0)
  expect t2, 7
  j pass
  strict_handler
