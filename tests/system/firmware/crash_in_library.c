/* A function of the C library reads through a pointer to nothing. */
#include <stddef.h>

#include "mistake.h"

/* The firmware library has it, too. */
int memcmp(const void* a, const void* b, size_t bytes);

int main(void) {
  const uint32_t own[] = {1, 2, 3, 4};
  const uint32_t* volatile nothing = 0;
  volatile size_t bytes = sizeof own;
  return memcmp(nothing, own, bytes);
}
