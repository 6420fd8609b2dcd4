#include "collectives/partition.h"

#include "drivers/arithmetic.h"

struct range chunk_of(uint64_t elements, uint32_t ranks, uint32_t chunk) {
  const uint64_t shorter = elements / ranks;
  const uint64_t longer_chunks = elements % ranks;
  const struct range result = {chunk * shorter + smaller(chunk, longer_chunks),
                               shorter + (chunk < longer_chunks)};
  return result;
}

struct range piece_of(struct range whole, uint64_t piece_elements, uint64_t piece) {
  const uint64_t skipped = smaller(piece * piece_elements, whole.count);
  const struct range result = {whole.begin + skipped,
                               smaller(piece_elements, whole.count - skipped)};
  return result;
}
