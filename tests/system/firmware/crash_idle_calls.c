/* Asks again and again for something that takes no time. */
#include "mistake.h"

int main(void) {
  while (hal_boot_address() != 1) {
  }
  return 0;
}
