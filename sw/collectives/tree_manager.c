#include "collectives/tree_manager.h"

#include "collectives/algorithms.h"
#include "collectives/tree_jobs.h"
#include "collectives/tree_making.h"
#include "drivers/boot_block.h"
#include "hal/hal.h"

enum status tree_manager_open(struct tree_manager* manager) {
  manager->trees = manager->rails = 0;
  manager->has_second_phase = manager->trees_only_copy = 0;
  manager->trees_failed = manager->rails_failed = BOOT_REPORT_OK;
  manager->network.switches = 0;
  return boot_open(&manager->boot);
}

/* The first tree brings the sum to the root, which pushes it into the other one. */
static enum boot_report arm_two_phases(struct tree_manager* m, const struct boot_job* job) {
  enum boot_report report = BOOT_REPORT_OK;
  if (!m->has_second_phase) {
    m->root[TREE_SECOND_PHASE] = m->root[0];
    report = tree_make(m, TREE_SECOND_PHASE);
    m->has_second_phase = report == BOOT_REPORT_OK;
  }
  const struct tree_share whole = tree_share_of(job, m->network.ranks, 1, 0, m->window.segment);
  if (report == BOOT_REPORT_OK) report = tree_arm(m, job, 0, AGGREGATOR_ROOT, whole);
  if (report == BOOT_REPORT_OK)
    report = tree_arm(m, job, TREE_SECOND_PHASE, AGGREGATOR_COPY, whole);
  return report;
}

/* Each rail sums the part of its rank of every pod. */
static enum boot_report arm_rails(struct tree_manager* m, const struct boot_job* job) {
  const uint32_t pod = job->slots;
  enum boot_report report = m->rails_failed;
  if (m->rails == 0 && report == BOOT_REPORT_OK) report = tree_make_rails(m, pod);
  for (uint32_t i = 0; i < pod && report == BOOT_REPORT_OK; ++i) {
    report = tree_arm(m, job, TREE_FIRST_RAIL + i, AGGREGATOR_MULTICAST,
                      tree_share_of(job, m->network.ranks, pod, i, m->rail_window.segment));
  }
  return report;
}

enum boot_report tree_manager_set_up(struct tree_manager* m, const struct boot_job* job) {
  if (job->algorithm == BOOT_NVLS_TREE) return arm_rails(m, job);
  enum boot_report report = m->trees_failed;
  const int only_copies = !tree_mode_adds(tree_mode_of(job));
  const int may_copy = report == BOOT_REPORT_NO_AGGREGATOR && only_copies && !m->trees_only_copy;
  if (m->trees == 0 && (report == BOOT_REPORT_OK || may_copy))
    report = tree_make_all(m, job->iterations, only_copies);
  if (report == BOOT_REPORT_OK && job->algorithm == BOOT_TREE_TWO_PHASE)
    return arm_two_phases(m, job);
  for (uint32_t tree = 0; tree < m->trees && report == BOOT_REPORT_OK; ++tree) {
    report = tree_arm(m, job, tree, tree_mode_of(job),
                      tree_share_of(job, m->network.ranks, m->trees, tree, m->window.segment));
  }
  return report;
}
