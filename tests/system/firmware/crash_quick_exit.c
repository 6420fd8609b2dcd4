/* Ends as a program of the host would, in haste; a core without a C library traps. */
#include "mistake.h"

#ifdef __riscv
#define leave(code) __builtin_trap()
#else
_Noreturn void quick_exit(int code);
#define leave(code) quick_exit(code)
#endif

int main(void) {
  leave(0);
}
