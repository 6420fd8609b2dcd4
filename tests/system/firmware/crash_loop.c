/* Waits for a variable that nobody writes. */
#include "mistake.h"

int main(void) {
  volatile int is_done = 0;
  while (!is_done) {
  }
  return 0;
}
