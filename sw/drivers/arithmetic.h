/* Arithmetic that drivers and collectives share. */
#ifndef HEDDLE_ARITHMETIC_H
#define HEDDLE_ARITHMETIC_H

#include <stdint.h>

/* Of 0 and 1 it is 0; of what is no power of two, that of the next smaller one. */
static inline uint32_t log2_of(uint32_t value) {
  uint32_t log = 0;
  while (value > 1) {
    value >>= 1;
    ++log;
  }
  return log;
}

/* 0 counts as one. */
static inline int is_power_of_two(uint32_t value) {
  return (value & (value - 1)) == 0;
}

static inline uint64_t smaller(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

#endif
