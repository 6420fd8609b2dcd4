#include "collectives/tree_jobs.h"

#include "collectives/tree_roots.h"
#include "collectives/tree_streams.h"
#include "drivers/exchange.h"

enum aggregator_mode tree_mode_of(const struct boot_job* job) {
  switch (job->collective) {
    case BOOT_REDUCE:
      return AGGREGATOR_ROOT;
    case BOOT_REDUCE_SCATTER:
      return AGGREGATOR_SCATTER;
    case BOOT_BROADCAST:
    case BOOT_ALLGATHER:
      return AGGREGATOR_COPY;
    case BOOT_ALLTOALL:
      return AGGREGATOR_EXCHANGE;
    default:
      return AGGREGATOR_MULTICAST;
  }
}

int tree_mode_adds(enum aggregator_mode mode) {
  return mode != AGGREGATOR_COPY && mode != AGGREGATOR_EXCHANGE;
}

/* Why the planned tree cannot take the share of a job. */
static enum boot_report obstacle_to(const struct tree_manager* m, enum aggregator_mode mode,
                                    uint64_t bytes) {
  const uint64_t table = mode == AGGREGATOR_EXCHANGE ? EXCHANGE_TABLE_BYTES : 0;
  if (tree_mode_adds(mode) && !tree_plan_reduces(m)) return BOOT_REPORT_NO_AGGREGATOR;
  if (mode == AGGREGATOR_EXCHANGE && m->plan.deepest != 0) return BOOT_REPORT_TIERS;
  if (mode == AGGREGATOR_SCATTER && !tree_keeps_ranks_together(&m->plan)) return BOOT_REPORT_ORDER;
  if (table + bytes > m->longest_stream) return BOOT_REPORT_WINDOW;
  /* Offsets in a table of chunks have 32 bits. */
  if (mode == AGGREGATOR_EXCHANGE && bytes > UINT32_MAX) return BOOT_REPORT_WINDOW;
  return BOOT_REPORT_OK;
}

enum boot_report tree_arm(struct tree_manager* m, const struct boot_job* job, uint32_t tree,
                          enum aggregator_mode mode, struct tree_share share) {
  const int is_barrier = job->collective == BOOT_BARRIER;
  if (share.bytes == 0) return BOOT_REPORT_OK;
  struct aggregator_stream stream = {
      .mode = mode,
      .dtype = is_barrier || !tree_mode_adds(mode) ? BOOT_INT32 : job->dtype,
      .op = tree_mode_adds(mode) ? job->op : BOOT_SUM,
      .segment = share.segment,
      .window = tree_window_segments(tree_window_for(m, tree)->bytes, &share),
      .target = AGGREGATOR_NO_GROUP,
      .bytes = share.bytes,
      .result_offset = tree_data(job) + share.begin};
  tree_make_plan(m, tree);
  const enum boot_report obstacle = obstacle_to(m, mode, share.bytes);
  if (obstacle != BOOT_REPORT_OK) return obstacle;
  if (mode == AGGREGATOR_SCATTER) tree_set_parts(m, job, tree);
  if (tree_arm_groups(m, tree, &stream, job->root) == STATUS_OK) return BOOT_REPORT_OK;
  tree_reset_groups(m, tree);
  return BOOT_REPORT_BUFFER;
}
