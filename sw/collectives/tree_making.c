#include "collectives/tree_making.h"

#include "collectives/layout.h"
#include "collectives/peer.h"
#include "collectives/tree_groups.h"
#include "collectives/tree_roots.h"
#include "collectives/tree_self_test.h"
#include "collectives/tree_windows.h"
#include "drivers/arithmetic.h"
#include "hal/hal.h"
#include "regs/aggregator_regs.h"

static enum boot_report discover(struct tree_manager* m) {
  const enum boot_report report = tree_discover(&m->network, &m->boot);
  m->longest_stream = UINT64_MAX;
  for (uint32_t i = 0; i < m->network.switches && report == BOOT_REPORT_OK; ++i) {
    const uint64_t registers = m->network.registers[i];
    const uint32_t capabilities = hal_read32(registers + AGGREGATOR_CAPABILITIES);
    m->may_reduce[i] = (capabilities & AGGREGATOR_CAPABILITIES_REDUCES_MASK) != 0;
    m->may_copy[i] = (capabilities & AGGREGATOR_CAPABILITIES_COPIES_MASK) != 0;
    m->longest_stream = smaller(m->longest_stream, aggregator_longest_stream(registers));
  }
  return report;
}

/* Ranks look where they push as soon as the manager has set a job up: by then they must see it. */
static enum boot_report tell_ranks(const struct tree_manager* m, uint32_t tree) {
  const struct tree_window* window = tree_window_for(m, tree);
  const uint64_t at = tree_flag_offset(m, FLAG_TREE_PLACE + 4 * tree_slot_of(tree));
  for (uint32_t rank = 0; rank < m->network.ranks; ++rank) {
    const uint16_t leaf = m->plan.leaf[rank];
    if (leaf == TREE_NOBODY) continue;
    const uint64_t registers = m->network.registers[leaf];
    const uint64_t base = peer_window(&m->boot, rank);
    aggregator_send_word(registers, m->boot.tenant, base + at, tree_window_of(m, tree, leaf));
    aggregator_send_word(registers, m->boot.tenant, base + at + sizeof(uint64_t),
                         (uint64_t)window->bytes << 32 | window->segment);
  }
  for (uint32_t i = 0; i < m->plan.switches; ++i) {
    const uint64_t registers = m->network.registers[m->plan.order[i]];
    if (aggregator_await_words(registers, m->boot.tenant, m->boot.timeout_ns) != STATUS_OK)
      return BOOT_REPORT_SELF_TEST;
  }
  return BOOT_REPORT_OK;
}

enum boot_report tree_make(struct tree_manager* m, uint32_t tree) {
  tree_make_plan(m, tree);
  enum boot_report report = tree == 0 ? tree_choose_window(m) : BOOT_REPORT_OK;
  if (report == BOOT_REPORT_OK) report = tree_allocate_groups(m, tree);
  if (report != BOOT_REPORT_OK) return report;
  tree_program_groups(m, tree);
  report = tree_test(m, tree);
  if (report == BOOT_REPORT_OK) report = tell_ranks(m, tree);
  if (report != BOOT_REPORT_OK) tree_release_groups(m, tree);
  return report;
}

/* All of them, or none. */
static enum boot_report make_each(struct tree_manager* m, uint32_t first, uint32_t count) {
  enum boot_report report = BOOT_REPORT_OK;
  uint32_t made = 0;
  while (made < count && report == BOOT_REPORT_OK) {
    report = tree_make(m, first + made);
    if (report == BOOT_REPORT_OK) ++made;
  }
  while (report != BOOT_REPORT_OK && made-- > 0) {
    tree_make_plan(m, first + made);
    tree_release_groups(m, first + made);
  }
  return report;
}

enum boot_report tree_make_all(struct tree_manager* m, uint32_t wanted, int only_copy) {
  enum boot_report report = discover(m);
  m->trees_only_copy = 0;
  if (report == BOOT_REPORT_OK) report = tree_choose_roots(m, wanted);
  if (report == BOOT_REPORT_NO_AGGREGATOR && only_copy) {
    m->trees_only_copy = 1;
    report = tree_choose_roots(m, wanted);
  }
  if (report == BOOT_REPORT_OK) report = make_each(m, 0, m->trees);
  if (report != BOOT_REPORT_OK) m->trees = 0;
  m->trees_failed = report;
  return report;
}

enum boot_report tree_make_rails(struct tree_manager* m, uint32_t rails) {
  if (rails > TREE_MOST_RAILS) return BOOT_REPORT_SIZE;
  enum boot_report report = discover(m);
  m->rails = rails;
  if (report == BOOT_REPORT_OK) report = tree_choose_rail_roots(m);
  if (report == BOOT_REPORT_OK) report = tree_choose_rail_window(m);
  if (report == BOOT_REPORT_OK) report = make_each(m, TREE_FIRST_RAIL, rails);
  if (report != BOOT_REPORT_OK) m->rails = 0;
  m->rails_failed = report;
  return report;
}
