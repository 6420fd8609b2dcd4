/* A line is 128 bytes of memory, aligned to them: 120 bytes of data and a flag behind them. One
 * packet carries whole lines and memory takes a packet at once, so whoever sees the flag of a line
 * sees its data, whatever way the packets took and in whichever order they came. It is what
 * collective libraries write between accelerators where messages are short: no fence, no counter.
 */
#ifndef HEDDLE_LINE_H
#define HEDDLE_LINE_H

#include <stdint.h>

#define LINE_BYTES UINT64_C(128)
#define LINE_DATA UINT64_C(120)
/* The longest message in lines. */
#define LINES_OF_MESSAGE UINT64_C(32)

static inline uint64_t lines_of(uint64_t data_bytes) {
  return (data_bytes + LINE_DATA - 1) / LINE_DATA;
}

#endif
