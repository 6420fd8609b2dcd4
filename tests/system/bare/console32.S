# Text by way of tohost on a core of 32 bits, which stores it in two halves: the console device with
# the lower half first and with the upper one first, and write() with its four words.
  .include "bare.inc"
  .macro put first, second
2:
  lbu a0, 0(s0)
  beqz a0, 4f
  sw \first
  sw \second
3:
  lw a3, 4(a2)
  beqz a3, 3b
  bne a3, s1, fail
  sw zero, 4(a2)
  lw a3, 0(a1)                        # taken
  bnez a3, fail
  lw a3, 4(a1)
  bnez a3, fail
  addi s0, s0, 1
  j 2b
4:
  .endm

  .text
  .align 2
test:
  begin 2
  la a1, tohost
  la a2, fromhost
  li s1, 0x01010000                   # device 1, command 1, of the upper half
  la s0, text
  put "a0, 0(a1)", "s1, 4(a1)"
  begin 3
  la s0, text
  put "s1, 4(a1)", "a0, 0(a1)"
  begin 4
  la a0, request
  sw a0, 0(a1)
  sw zero, 4(a1)
1:
  lw a3, 0(a2)
  beqz a3, 1b
  sw zero, 0(a2)
  lw a3, 0(a0)                        # bytes written
  expect a3, 6
  begin 5
  li a3, 64
  sw a3, 0(a0)
  sw a0, 0(a1)                        # no upper half
1:
  lw a3, 0(a2)
  beqz a3, 1b
  sw zero, 0(a2)
  j pass
handler:
  j fail
  .data
  .align 3
request:
  .word 64, 0, 1, 0, text, 0, 6, 0
text:
  .string "hello\n"
