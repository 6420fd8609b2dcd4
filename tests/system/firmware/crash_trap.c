/* An assertion of the compiler's kind. */
#include "mistake.h"

int main(void) {
  __builtin_trap();
}
