/* Functions compiled as C11 with the generated C header. */
#ifndef HEDDLE_TESTS_USE_C_HEADER_H
#define HEDDLE_TESTS_USE_C_HEADER_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

uint32_t c_lane_state_offset(uint32_t lane);
uint32_t c_control_with_mode_fast(uint32_t control);
uint64_t c_total(const void* block, uint32_t lane);

#ifdef __cplusplus
}
#endif

#endif /* HEDDLE_TESTS_USE_C_HEADER_H */
