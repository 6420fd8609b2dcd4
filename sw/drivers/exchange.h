/* The table of chunks that a member pushes into the window of its group, in front of its buffer,
 * when an aggregator exchanges chunks (AGGREGATOR_EXCHANGE): a head, then as many entries as it
 * says. The buffer lies EXCHANGE_TABLE_BYTES behind the beginning of the window, whatever the
 * table's length.
 */
#ifndef HEDDLE_EXCHANGE_H
#define HEDDLE_EXCHANGE_H

#include <stdint.h>

#define EXCHANGE_TABLE_BYTES UINT64_C(0x10000)

struct exchange_head {
  uint32_t entries; /* no more than there are other members */
  uint32_t reserved[3];
};

/* Offsets and lengths are multiples of 128; a chunk may be empty. */
struct exchange_entry {
  uint32_t rank;   /* who gets the chunk */
  uint32_t source; /* offset in the buffer */
  uint32_t bytes;
  uint32_t destination; /* offset from the results of that rank on */
};

#endif
