/* Reads where no memory is, in a function that main calls. */
#include "mistake.h"

static uint32_t __attribute__((noinline)) read_at(const volatile uint32_t* from) {
  return *from;
}

int main(void) {
  const volatile uint32_t* volatile nowhere = (const volatile uint32_t*)(uintptr_t)0x123456780;
  return (int)read_at(nowhere);
}
