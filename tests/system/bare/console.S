# Text by way of tohost: write() with its four words, and the console device, which wants one
# character at a time.
  .include "bare.inc"
  .text
  .align 2
test:
  begin 2
  la a0, request
  la a1, tohost
  sd a0, 0(a1)
  la a2, fromhost
1:
  ld a3, 0(a2)
  beqz a3, 1b
  sd zero, 0(a2)
  ld a3, 0(a1)                        # taken
  bnez a3, fail
  ld a3, 0(a0)                        # bytes written
  expect a3, 6
  begin 3
  la s0, text
  li s1, 0x0101000000000000           # device 1, command 1
2:
  lbu a0, 0(s0)
  beqz a0, pass
  or a0, a0, s1
  sd a0, 0(a1)
3:
  ld a3, 0(a1)
  bnez a3, 3b
  ld a3, 0(a2)
  bne a3, s1, fail
  sd zero, 0(a2)
  addi s0, s0, 1
  j 2b
handler:
  j fail
  .data
  .align 3
request:
  .dword 64, 1, text, 6
text:
  .string "hello\n"
