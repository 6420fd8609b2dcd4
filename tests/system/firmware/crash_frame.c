/* A frame that is larger than the stack. */
#include "mistake.h"

static int __attribute__((noinline)) sum_of(const volatile unsigned char* from) {
  volatile unsigned char copy[300 * 1024];
  int sum = 0;
  for (unsigned i = 0; i < sizeof copy; ++i) copy[i] = (unsigned char)(*from + i);
  for (unsigned i = 0; i < sizeof copy; ++i) sum += copy[i];
  return sum;
}

int main(void) {
  volatile unsigned char first = 1;
  return sum_of(&first);
}
