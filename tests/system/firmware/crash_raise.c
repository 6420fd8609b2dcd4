/* Raises a signal that would end a program of the host; a core without signals traps. */
#include "mistake.h"

#ifdef __riscv
#define end_program() __builtin_trap()
#else
#include <signal.h>
#define end_program() raise(SIGTERM)
#endif

int main(void) {
  end_program();
  return 0;
}
