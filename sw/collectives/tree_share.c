#include "collectives/partition.h"
#include "collectives/tree.h"
#include "drivers/aggregator.h"

/* A barrier is a reduction of so much. */
enum { BARRIER_BYTES = AGGREGATOR_ALIGNMENT };

static int is_cut_by_ranks(const struct boot_job* job) {
  return job->collective == BOOT_ALLGATHER || job->collective == BOOT_REDUCE_SCATTER ||
         job->collective == BOOT_ALLTOALL;
}

uint64_t tree_data(const struct boot_job* job) {
  return job->collective == BOOT_BARRIER ? job->scratch : job->data;
}

struct tree_share tree_share_of(const struct boot_job* job, uint32_t ranks, uint32_t trees,
                                uint32_t tree, uint32_t segment) {
  const uint64_t bytes =
      job->collective == BOOT_BARRIER ? BARRIER_BYTES : job->elements * job->element_bytes;
  struct tree_share share = {0, 0, segment};
  if (is_cut_by_ranks(job)) {
    if (tree == 0) share.bytes = bytes;
    if (job->collective == BOOT_ALLGATHER) share.segment = (uint32_t)(bytes / ranks);
    return share;
  }
  const struct range units = chunk_of(bytes / AGGREGATOR_ALIGNMENT, trees, tree);
  share.begin = units.begin * AGGREGATOR_ALIGNMENT;
  share.bytes = units.count * AGGREGATOR_ALIGNMENT;
  return share;
}
