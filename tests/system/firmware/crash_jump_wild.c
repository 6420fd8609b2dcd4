/* Calls a function where no code is. */
#include "mistake.h"

int main(void) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): that is the mistake
  int (*volatile nobody)(void) = (int (*)(void))(uintptr_t)0x123456780;
  return nobody() + 1;
}
