# Interrupts: a vectored table, WFI, one handler inside another, the stack of mstatus, counters.
  .include "bare.inc"
  .set msip, 0x2000000
  .set mtimecmp, 0x2004000
  .set mtime, 0x200bff8
  .set software_bit, 0x8              # of mie and mip
  .set timer_bit, 0x80
  .set mie_bit, 0x8                   # of mstatus
  .set stack_bits, 0x1888             # MPP, MPIE, MIE

# The timer interrupts so many ticks from now; on either width, and the upper half last.
  .macro arm ticks
  li t1, mtime
  lw t2, 0(t1)
  addi t2, t2, \ticks
  li t1, mtimecmp
  sw t2, 0(t1)
  sw zero, 4(t1)
  .endm
  .macro disarm
  li t1, mtimecmp
  li t2, -1
  sw t2, 4(t1)
  .endm
  .macro stack register
  csrr \register, mstatus
  li t2, stack_bits
  and \register, \register, t2
  .endm
# A digit more at the end of s0: who has run, in order.
  .macro note digit
  slli t2, s0, 3
  slli s0, s0, 1
  add s0, s0, t2
  addi s0, s0, \digit
  .endm

  .text
  .align 6
table:
  j trap_vector
  j fail
  j fail
  j on_software
  j fail
  j fail
  j fail
  j on_timer

test:
  la t0, table
  addi t0, t0, 1                      # vectored
  csrw mtvec, t0
  csrr t1, mtvec
  bne t0, t1, fail

  # WFI wakes and the interrupt is taken behind it; mret gives the enable back.
  begin 2
  li s0, 0
  li t0, timer_bit
  csrw mie, t0
  arm 500
  csrsi mstatus, mie_bit
  wfi
1:
  csrci mstatus, mie_bit
  expect s0, 7
  la t0, 1b
  bne s1, t0, fail                    # mepc
  expect s3, 0x1880                   # in the handler
  li t0, 7
  begin 3
  slli s2, s2, 1                      # mcause: the upper bit is the interrupt's
  srli s2, s2, 1
  bne s2, t0, fail
  csrsi mstatus, mie_bit
  stack t0
  expect t0, 0x1888

  # Without MIE it wakes all the same, and nobody is called.
  begin 4
  csrci mstatus, mie_bit
  li s0, 0
  arm 500
  csrr s5, mcycle
  csrr s6, minstret
  wfi
  csrr s8, minstret
  csrr s7, mcycle
  expect s0, 0
  csrr t0, mip
  expect t0, timer_bit
  sub s8, s8, s6
  expect s8, 2                        # the read and WFI
  sub s7, s7, s5
  begin 5                             # a sleeping core's cycles go on: 500 ns at 2 GHz
  li t0, 900
  bltu s7, t0, fail
  li t0, 1100
  bgtu s7, t0, fail
  disarm
  csrr t0, mip
  expect t0, 0

  # The software handler lets the timer in while it sleeps.
  begin 6
  li s0, 0
  li t0, timer_bit | software_bit
  csrw mie, t0
  csrsi mstatus, mie_bit
  li t1, msip
  li t2, 1
  sw t2, 0(t1)
1:
  beqz s0, 1b                         # taken at the end of a quantum at the latest
  expect s0, 371
  stack t0
  expect t0, 0x1888

  # A trap inside a handler: MPIE is what MIE was there, and mret leaves interrupts off.
  begin 7
  csrci mstatus, mie_bit
  traps 2, 0, .word 0
  stack t0
  expect t0, 0x1880
  expect s3, 0x1800

  # `time` and the timer's own register are one clock, however far the core runs ahead.
  begin 8
  li s4, 100
1:
  rdtime s5
  li t1, mtime
  lw s6, 0(t1)
  rdtime s7
  bltu s6, s5, fail
  bltu s7, s6, fail
  addi s4, s4, -1
  bnez s4, 1b

  # Each instruction counts once, whatever quantum it is in.
  begin 9
  li s4, 1000
  csrr s5, minstret
1:
  addi s4, s4, -1
  bnez s4, 1b
  csrr s6, minstret
  sub s6, s6, s5
  expect s6, 2001

  # Of msip there is one bit; software may try the others.
  begin 10
  li t1, msip
  li t2, -2
  sw t2, 0(t1)
  lw t2, 0(t1)
  expect t2, 0
  j pass

  .align 2
on_timer:
  csrr s1, mepc
  csrr s2, mcause
  stack s3
  disarm
  note 7
  mret

  .align 2
on_software:
  li t1, msip
  sw zero, 0(t1)
  csrr s9, mepc
  csrr s10, mstatus
  note 3
  arm 500
  csrsi mstatus, mie_bit
  wfi
1:
  csrci mstatus, mie_bit
  la t0, 1b
  bne s1, t0, fail                    # the timer came while it slept
  note 1
  csrw mepc, s9
  csrw mstatus, s10
  mret

  .align 2
handler:
  stack s3
  csrr t5, mcause
  bne t5, s10, fail
  csrr t5, mtval
  bne t5, s8, fail
  csrw mepc, s11
  li s11, 0
  mret
