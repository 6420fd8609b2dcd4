# Two cores change the same words, which lie in the memory of one of them: the other is across a
# fabric. Ends with the number of the sum that is wrong in a0.
  .include "fabric.inc"
  .set times, 50
  .set narrow, 1536                   # words of the shared memory, behind the boot block
  .set wide, 1544
  .set lock, 1552
  .set guarded, 1560
  .set reserved, 1568
  .set largest, 1576
  .set arrived, 1584

  sub s0, s1, s2
  snez s0, s0                         # 0: the words are its own
  li s3, times
  li s4, 1
  li s5, 3
round:
  addi a1, s2, narrow
  amoadd.w zero, s4, (a1)             # posted
  addi a1, s2, wide
  amoadd.d a2, s5, (a1)
  addi a1, s2, largest
  slli a2, s0, 10
  add a2, a2, s3
  amomaxu.w a3, a2, (a1)

  addi a1, s2, lock
1:
  amoswap.w.aq a2, s4, (a1)
  bnez a2, 1b
  ld a2, guarded(s2)
  addi a2, a2, 1
  sd a2, guarded(s2)
  fence
  amoswap.w.rl zero, zero, (a1)

  addi a1, s2, reserved
1:
  lr.w a2, (a1)
  addi a2, a2, 1
  sc.w a3, a2, (a1)
  bnez a3, 1b
  addi s3, s3, -1
  bnez s3, round

  addi a1, s2, arrived
  amoadd.d.rl a2, s4, (a1)
  bnez s0, pass
  li t0, 2
1:
  ld a2, 0(a1)
  bne a2, t0, 1b

  li a0, 1
  ld a2, narrow(s2)
  li t0, 2 * times
  bne a2, t0, end
  li a0, 2
  ld a2, wide(s2)
  li t0, 6 * times
  bne a2, t0, end
  li a0, 3
  ld a2, guarded(s2)
  li t0, 2 * times
  bne a2, t0, end
  li a0, 4
  ld a2, reserved(s2)
  bne a2, t0, end
  li a0, 5
  ld a2, largest(s2)
  li t0, 1024 + times
  bne a2, t0, end
pass:
  li a0, 0
end:
  ecall
