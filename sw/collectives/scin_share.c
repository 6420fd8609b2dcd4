#include "collectives/scin_share.h"

#include "collectives/algorithms.h"

/* The elements of one packet of 128 B, and whole blocks of quantized ones. */
static uint64_t unit_elements(const struct boot_job* job) {
  if (job->algorithm != BOOT_SCIN_INQ) return 128 / job->element_bytes;
  const uint64_t packet = 128 * 8 / job->quant_bits;
  return packet > job->quant_block ? packet : job->quant_block;
}

struct range scin_share(struct range whole, const struct boot_job* job, uint32_t shares,
                        uint32_t share) {
  const uint64_t unit = unit_elements(job);
  const struct range units = chunk_of((whole.count + unit - 1) / unit, shares, share);
  const uint64_t end = (units.begin + units.count) * unit;
  struct range part = {whole.begin + units.begin * unit, 0};
  if (units.count != 0) part.count = (end < whole.count ? end : whole.count) - units.begin * unit;
  return part;
}

uint32_t scin_active_shares(const struct boot_job* job, uint32_t ranks, uint32_t shares) {
  const int is_cut = job->collective == BOOT_REDUCE_SCATTER || job->collective == BOOT_ALLGATHER;
  const struct range longest = chunk_of(job->elements, is_cut ? ranks : 1, 0);
  uint32_t active = 0;
  while (active < shares && scin_share(longest, job, shares, active).count != 0) ++active;
  return active;
}
