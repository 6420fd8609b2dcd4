#include "hal/hal.h"

int one(void);
int two(void);

static const char* const names[] = {"one", "two"};

int main(void) {
  hal_log(names[one() - 1], (uint64_t)two());
  return 0;
}
