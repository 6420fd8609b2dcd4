/* Calls a function that is not there. */
#include "mistake.h"

int main(void) {
  int (*volatile nobody)(void) = 0;
  return nobody() + 1;
}
