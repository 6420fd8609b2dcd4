/* How firmware that runs natively makes floating point trap; the RISC-V cores never trap. */
#ifndef HEDDLE_TESTS_FLOATS_OF_HOST_H
#define HEDDLE_TESTS_FLOATS_OF_HOST_H

#ifdef __riscv
static inline void trap_on_everything(void) {}
static inline int still_traps(void) {
  return 1;
}
#else
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <fenv.h>
static inline void trap_on_everything(void) {
  feclearexcept(FE_ALL_EXCEPT); /* what was computed before, by whomever, shall not count */
  fesetround(FE_UPWARD);
  feenableexcept(FE_ALL_EXCEPT);
}
static inline int still_traps(void) {
  return fegetexcept() == FE_ALL_EXCEPT && fegetround() == FE_UPWARD;
}
#endif

#endif
