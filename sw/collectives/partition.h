/* How a vector is cut: into chunks, one a rank, and chunks into pieces. */
#ifndef HEDDLE_COLLECTIVES_PARTITION_H
#define HEDDLE_COLLECTIVES_PARTITION_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Elements [begin, begin + count); may be empty. */
struct range {
  uint64_t begin;
  uint64_t count;
};

/* Chunk of a vector cut into as many chunks as ranks: the first (elements mod ranks) are one
 * element longer, so chunk 0 is a longest one. */
struct range chunk_of(uint64_t elements, uint32_t ranks, uint32_t chunk);

/* Piece of a range cut into pieces of so many elements; empty beyond the end. */
struct range piece_of(struct range whole, uint64_t piece_elements, uint64_t piece);

#ifdef __cplusplus
}
#endif

#endif
