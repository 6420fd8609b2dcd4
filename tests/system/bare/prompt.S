# Writes a prompt, which ends in no new line, to the console of rv64_bare.yaml; then END says how the
# run ends: 0 passed, 1 failed, 2 asleep without an interrupt, 3 computing until somebody ends it.
  .include "bare.inc"
  .text
  .align 2
test:
  begin 1
  li a1, 0x10000000                   # the register of the console
  la a2, text
1:
  lbu a0, 0(a2)
  beqz a0, 2f
  sw a0, 0(a1)
  addi a2, a2, 1
  j 1b
2:
  .if END == 0
  j pass
  .elseif END == 1
  j fail
  .elseif END == 2
  wfi
  .endif
3:
  addi a3, a3, 1
  j 3b
handler:
  j fail
  .data
text:
  .string "ready\n> "
