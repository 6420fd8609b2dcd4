# Floating point, from off to exact exceptions; how each operation rounds is tested elsewhere.
  .include "bare.inc"
  .text
  .align 2
test:
  begin 2                             # off: neither instructions nor registers
  li t0, 3 << 13
  csrc mstatus, t0
  traps 2, 0x02b57553, fadd.d fa0, fa0, fa1
  begin 3
  li t0, 1 << 13
  csrs mstatus, t0
  csrr a0, mstatus
  li t0, 3 << 13
  and a0, a0, t0
  beqz a0, fail
  csrwi fcsr, 0
  begin 4                             # 1 + 2 * 3
  li a0, 1
  fcvt.d.w fa0, a0
  li a0, 2
  fcvt.d.w fa1, a0
  li a0, 3
  fcvt.d.w fa2, a0
  fmadd.d fa3, fa1, fa2, fa0
  fcvt.w.d a0, fa3
  expect a0, 7
  csrr a0, fflags
  expect a0, 0
  begin 5                             # 7 / 2, rounded in several ways, inexact
  fdiv.d fa3, fa3, fa1
  fcvt.w.d a0, fa3, rtz
  expect a0, 3
  fcvt.w.d a0, fa3, rup
  expect a0, 4
  fcvt.w.d a0, fa3, rne
  expect a0, 4
  csrr a0, fflags
  expect a0, 1
  begin 6                             # through memory, as compressed instructions too
  la s0, word
  .option push
  .option rvc
  fsd fa3, 0(s0)
  fld fa4, 0(s0)
  .option pop
  feq.d a0, fa3, fa4
  expect a0, 1
  fcvt.s.d fa3, fa3
  fsw fa3, 8(s0)
  lw a0, 8(s0)
  expect a0, 0x40600000
  begin 7                             # division by zero
  csrwi fflags, 0
  fmv.w.x fa5, zero
  fdiv.s fa6, fa3, fa5
  fclass.s a0, fa6
  expect a0, 1 << 7
  csrr a0, fflags
  expect a0, 8
  begin 8                             # a root of what is negative
  csrwi fflags, 0
  fneg.s fa3, fa3
  fsqrt.s fa6, fa3
  fmv.x.w a0, fa6
  expect a0, 0x7fc00000
  csrr a0, fflags
  expect a0, 16
  j pass
  strict_handler
  .data
  .align 3
word:
  .dword 0, 0
