/* Divides by a number of ranks that is 0. */
#include "mistake.h"

int main(void) {
  volatile int ranks = 0;
  return 12 / ranks;
}
