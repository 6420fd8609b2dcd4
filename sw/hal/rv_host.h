/* The registers by which firmware on a RISC-V core reaches the platform. */
#ifndef HEDDLE_HAL_RV_HOST_H
#define HEDDLE_HAL_RV_HOST_H

#include <stdint.h>

#include "regs/firmware_host_regs.h"

#define HOST UINT64_C(0x0f000000) /* parameter `host` of the core */

#endif
