/* Divides by a bandwidth of 0, where floating point traps, behind a call of the HAL. */
#include "floats_of_host.h"
#include "mistake.h"

int main(void) {
  trap_on_everything();
  read_boot();
  volatile double bytes = 4096, bandwidth = 0;
  return bytes / bandwidth > 1;
}
