/* Changes the first bit of the exponent of a result of a mixture-of-experts layer. */
#include "moe_mistake.h"

int main(void) {
  return (int)flip_result(0x4000);
}
