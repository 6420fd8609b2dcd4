/* Calls a function where no code is. */
#include "mistake.h"

int main(void) {
  int (*volatile nobody)(void) = (int (*)(void))(uintptr_t)0x123456780;
  return nobody() + 1;
}
