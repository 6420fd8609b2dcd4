#include "collectives/tree_windows.h"

#include "collectives/tree_roots.h"
#include "hal/hal.h"
#include "regs/aggregator_regs.h"

/* Bytes of each switch's buffers for the tree at hand. */
static uint64_t share_of_buffer(const struct tree_manager* m) {
  uint64_t buffer = UINT64_MAX;
  for (uint32_t i = 0; i < m->plan.switches; ++i) {
    const uint64_t here =
        hal_read64(m->network.registers[m->plan.order[i]] + AGGREGATOR_BUFFER_FREE);
    if (here < buffer) buffer = here;
  }
  return tree_share_of_buffer(buffer, m->trees, m->boot.tenants);
}

/* Of rails: the smallest part of a switch that as many of them share. */
static uint64_t share_of_rails(struct tree_manager* m) {
  uint8_t rails_at[TREE_MOST_SWITCHES] = {0};
  uint64_t share = UINT64_MAX;
  for (uint32_t tree = TREE_FIRST_RAIL; tree < TREE_FIRST_RAIL + m->rails; ++tree) {
    tree_make_plan(m, tree);
    for (uint32_t i = 0; i < m->plan.switches; ++i) ++rails_at[m->plan.order[i]];
  }
  for (uint32_t i = 0; i < m->network.switches; ++i) {
    if (rails_at[i] == 0) continue;
    const uint64_t free = hal_read64(m->network.registers[i] + AGGREGATOR_BUFFER_FREE);
    const uint64_t here = tree_buffer_of_tenant(free, m->boot.tenants) / rails_at[i];
    if (here < share) share = here;
  }
  return share;
}

static enum boot_report choose_window(struct tree_window* window, uint64_t share_of_buffers) {
  const struct tree_window chosen = tree_window_in(share_of_buffers);
  if (chosen.bytes == 0) return BOOT_REPORT_BUFFER;
  *window = chosen;
  return BOOT_REPORT_OK;
}

enum boot_report tree_choose_window(struct tree_manager* m) {
  return choose_window(&m->window, share_of_buffer(m));
}

enum boot_report tree_choose_rail_window(struct tree_manager* m) {
  return choose_window(&m->rail_window, share_of_rails(m));
}
