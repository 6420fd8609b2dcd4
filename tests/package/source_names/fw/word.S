  .section .text.word, "ax"
  .globl word
word:
  ret
