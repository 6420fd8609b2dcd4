/* Reads an address that no unit answers for. */
#include "mistake.h"

int main(void) {
  return (int)hal_read32(0x40000);
}
