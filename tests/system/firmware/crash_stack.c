/* Recurses until no stack is left. */
#include "mistake.h"

static int __attribute__((noinline)) descend(volatile int* above) {
  volatile int own[64];
  own[0] = *above + 1;
  if (own[0] < 0) return 0;
  return descend(own) + own[0];
}

int main(void) {
  volatile int first = 0;
  return descend(&first);
}
