#include "collectives/tree_windows.h"

#include "collectives/tree_roots.h"
#include "drivers/arithmetic.h"
#include "hal/hal.h"
#include "regs/aggregator_regs.h"

enum {
  LONGEST_SEGMENT = 2 << 20, /* bytes */
  SMALLEST_WINDOW = 8,       /* segments, as long as they have a packet's size */
};

/* Bytes of each switch's buffers for the tree at hand: each of the trees may take a part, and
 * another workload as much. */
static uint64_t share_of_buffer(const struct tree_manager* m) {
  uint64_t buffer = UINT64_MAX;
  for (uint32_t i = 0; i < m->plan.switches; ++i) {
    const uint64_t here =
        hal_read64(m->network.registers[m->plan.order[i]] + AGGREGATOR_BUFFER_FREE);
    if (here < buffer) buffer = here;
  }
  if (m->trees > 1) return buffer / m->trees;
  return buffer / 2 < AGGREGATOR_ALIGNMENT ? buffer : buffer / 2;
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
    const uint64_t here =
        hal_read64(m->network.registers[i] + AGGREGATOR_BUFFER_FREE) / rails_at[i];
    if (here < share) share = here;
  }
  return share;
}

static enum boot_report choose_window(struct tree_window* window, uint64_t share_of_buffers) {
  const uint64_t share = smaller(share_of_buffers, UINT32_MAX); /* a window's bytes have 32 bits */
  uint64_t segment = LONGEST_SEGMENT;
  while (segment > AGGREGATOR_ALIGNMENT && segment * SMALLEST_WINDOW > share) segment /= 2;
  const uint64_t segments = share / segment;
  if (segments == 0) return BOOT_REPORT_BUFFER;
  window->segment = (uint32_t)segment;
  window->bytes = (uint32_t)(segments * segment);
  return BOOT_REPORT_OK;
}

enum boot_report tree_choose_window(struct tree_manager* m) {
  return choose_window(&m->window, share_of_buffer(m));
}

enum boot_report tree_choose_rail_window(struct tree_manager* m) {
  return choose_window(&m->rail_window, share_of_rails(m));
}
