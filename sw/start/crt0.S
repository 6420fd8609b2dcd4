# From reset to main: stack, floating point, zeroed data. mtvec stays 0, so that a trap nobody expects ends the run
# with the place where it happened.
#if __riscv_xlen == 64
#define STORE sd
#else
#define STORE sw
#endif
  .section .text.start, "ax"
  .globl _start
  .type _start, @function
_start:
  .option push
  .option norelax
  la gp, __global_pointer$
  .option pop
  la sp, __stack_top
  li t0, 1 << 13        # mstatus.FS: floating point on, where the core has it
  csrs mstatus, t0
  la t0, __bss_start
  la t1, __bss_end
1:
  bgeu t0, t1, 2f
  STORE zero, 0(t0)
  addi t0, t0, __riscv_xlen / 8
  j 1b
2:
  call main
  call hal_exit
  .size _start, . - _start
