# No host has this instruction.
  .section .text.word, "ax"
  .globl word
word:
  csrr a0, mhartid
  ret
