/* Writes through a pointer that nobody has set. */
#include "mistake.h"

int main(void) {
  volatile uint32_t* volatile nowhere = 0;
  *nowhere = 1;
  return 0;
}
