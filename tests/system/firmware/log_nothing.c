/* Logs a text that is not there. */
#include "mistake.h"

int main(void) {
  hal_log(0, 5);
  return 0;
}
