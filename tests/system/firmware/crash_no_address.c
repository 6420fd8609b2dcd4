/* Reads through what is no address of a 64-bit machine: its upper bits are mixed. */
#include "mistake.h"

int main(void) {
  const volatile uint32_t* volatile nowhere =
      // NOLINTNEXTLINE(performance-no-int-to-ptr): that is the mistake
      (const volatile uint32_t*)(uintptr_t)0x1234123412341234;
  return (int)*nowhere;
}
