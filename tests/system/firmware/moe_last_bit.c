/* Changes a result of a mixture-of-experts layer by one unit in its last place. */
#include "moe_mistake.h"

int main(void) {
  return (int)flip_result(0x1);
}
