/* How the data of a job is spread over the planes. */
#include "collectives/partition.h"
#include "collectives/scin.h"
#include "collectives/scin_internal.h"

struct range scin_share(struct range whole, const struct boot_job* job, uint32_t planes,
                        uint32_t plane) {
  const uint64_t unit = scin_unit_elements(job);
  const struct range units = chunk_of((whole.count + unit - 1) / unit, planes, plane);
  const uint64_t end = (units.begin + units.count) * unit;
  struct range share = {whole.begin + units.begin * unit, 0};
  if (units.count != 0) share.count = (end < whole.count ? end : whole.count) - units.begin * unit;
  return share;
}

uint32_t scin_active_planes(const struct boot_job* job, uint32_t ranks, uint32_t planes) {
  const int is_cut = job->collective == BOOT_REDUCE_SCATTER || job->collective == BOOT_ALLGATHER;
  const struct range longest = chunk_of(job->elements, is_cut ? ranks : 1, 0);
  uint32_t active = 0;
  while (active < planes && scin_share(longest, job, planes, active).count != 0) ++active;
  return active;
}
