#include "collectives/tree_roots.h"

/* By switch, whether it may be in the tree. Rails always reduce. */
static const uint8_t* switches_for(const struct tree_manager* m, uint32_t tree) {
  return !tree_is_rail(tree) && m->trees_only_copy ? m->may_copy : m->may_reduce;
}

/* The ranks of a tree: all, or of a rail one of every pod. */
static struct tree_ranks ranks_of(const struct tree_manager* m, uint32_t tree) {
  const struct tree_ranks all = {0, 1};
  const struct tree_ranks of_rail = {tree - TREE_FIRST_RAIL, m->rails};
  return tree_is_rail(tree) ? of_rail : all;
}

/* The roots of the lowest trees; returns how many there are. */
static uint32_t find_roots(struct tree_manager* m, uint32_t tree, uint16_t* candidates) {
  uint32_t count = 0;
  uint32_t lowest = TREE_NOBODY;
  for (uint32_t i = 0; i < m->network.switches; ++i) {
    if (!tree_plan_from(&m->plan, &m->network, switches_for(m, tree), ranks_of(m, tree), i))
      continue;
    if (m->plan.deepest > lowest) continue;
    if (m->plan.deepest < lowest) count = 0;
    lowest = m->plan.deepest;
    candidates[count++] = (uint16_t)i;
  }
  return count;
}

enum boot_report tree_choose_roots(struct tree_manager* m, uint32_t wanted) {
  uint16_t candidates[TREE_MOST_SWITCHES];
  const uint32_t count = find_roots(m, 0, candidates);
  if (count == 0) return BOOT_REPORT_NO_AGGREGATOR;
  uint32_t trees = wanted != 0 ? wanted : m->network.ports_of_a_rank;
  if (wanted == 0 && trees > count) trees = count;
  if (trees > TREE_MOST) trees = TREE_MOST;
  if (trees > m->boot.channels) trees = m->boot.channels;
  for (uint32_t tree = 0; tree < trees; ++tree) m->root[tree] = candidates[tree * count / trees];
  m->trees = trees;
  return BOOT_REPORT_OK;
}

enum boot_report tree_choose_rail_roots(struct tree_manager* m) {
  uint16_t candidates[TREE_MOST_SWITCHES];
  uint8_t roots_at[TREE_MOST_SWITCHES] = {0};
  for (uint32_t tree = TREE_FIRST_RAIL; tree < TREE_FIRST_RAIL + m->rails; ++tree) {
    const uint32_t count = find_roots(m, tree, candidates);
    if (count == 0) return BOOT_REPORT_NO_AGGREGATOR;
    uint16_t best = candidates[0];
    for (uint32_t i = 1; i < count; ++i) {
      if (roots_at[candidates[i]] < roots_at[best]) best = candidates[i];
    }
    ++roots_at[best];
    m->root[tree] = best;
  }
  return BOOT_REPORT_OK;
}

void tree_make_plan(struct tree_manager* m, uint32_t tree) {
  tree_plan_from(&m->plan, &m->network, switches_for(m, tree), ranks_of(m, tree), m->root[tree]);
}

int tree_plan_reduces(const struct tree_manager* m) {
  for (uint32_t i = 0; i < m->plan.switches; ++i) {
    if (!m->may_reduce[m->plan.order[i]]) return 0;
  }
  return 1;
}
