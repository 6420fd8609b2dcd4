/* Writes beyond an array, over the frames of whoever called main(). */
#include "mistake.h"

static void __attribute__((noinline, no_sanitize_address))
receive(volatile unsigned char* to, unsigned bytes) {
  for (unsigned i = 0; i < bytes; ++i) to[i] = 0x41;
}

int main(void) {
  volatile unsigned char received[16];
  receive(received, 160);
  return received[0];
}
