#include "collectives/partition.h"
#include "collectives/tree.h"
#include "drivers/aggregator.h"

/* A barrier is a reduction of so much. */
enum { BARRIER_BYTES = AGGREGATOR_ALIGNMENT };

enum {
  SEGMENTS = 64,             /* of a job, where it is long */
  SMALL_SEGMENT = 64 * 1024, /* its flag of 8 B costs nothing */
};

static int is_cut_by_ranks(const struct boot_job* job) {
  return job->collective == BOOT_ALLGATHER || job->collective == BOOT_REDUCE_SCATTER ||
         job->collective == BOOT_ALLTOALL;
}

static uint32_t segment_of(uint64_t bytes, uint32_t longest) {
  const uint64_t part = bytes / SEGMENTS / SMALL_SEGMENT * SMALL_SEGMENT;
  const uint64_t wanted = part < SMALL_SEGMENT ? SMALL_SEGMENT : part;
  return wanted < longest ? (uint32_t)wanted : longest;
}

uint32_t tree_window_segments(uint32_t window_bytes, const struct tree_share* share) {
  const uint32_t segments = window_bytes / share->segment;
  return segments == 0 ? 1 : segments;
}

uint64_t tree_data(const struct boot_job* job) {
  return job->collective == BOOT_BARRIER ? job->scratch : job->data;
}

struct tree_share tree_share_of(const struct boot_job* job, uint32_t ranks, uint32_t trees,
                                uint32_t tree, uint32_t segment) {
  const uint64_t bytes =
      job->collective == BOOT_BARRIER ? BARRIER_BYTES : job->elements * job->element_bytes;
  struct tree_share share = {0, 0, segment_of(bytes, segment)};
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
