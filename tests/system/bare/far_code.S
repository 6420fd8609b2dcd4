# A core writes code into the memory of another one across a fabric and runs it after fence.i, which
# waits until the stores have arrived. Ends with 1 in a0 where older code ran.
  .include "fabric.inc"
  .set function, 1536                 # offset in the memory written, behind the boot block
  .set rounds, 20

  beq s1, s2, pass                    # its own memory: only the other core writes
  addi s2, s2, function
  li t0, 0x8067                       # ret
  sw t0, 4(s2)
  li s3, rounds
round:
  slli t0, s3, 20
  addi t0, t0, 0x513                  # addi a0, zero, and the number of the round
  sw t0, 0(s2)
  fence.i
  jalr s2
  bne a0, s3, stale
  addi s3, s3, -1
  bnez s3, round
pass:
  li a0, 0
  ecall
stale:
  li a0, 1
  ecall
