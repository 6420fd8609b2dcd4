/* How far ranks may push ahead of their flags: as the buffers of the switches have room.
 * BOOT_REPORT_BUFFER where a buffer has no room for a packet.
 */
#ifndef HEDDLE_TREE_WINDOWS_H
#define HEDDLE_TREE_WINDOWS_H

#include "collectives/tree_state.h"
#include "drivers/aggregator.h"
#include "drivers/arithmetic.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes of a switch's buffers that a tenant may take, so that all find some. */
static inline uint64_t tree_buffer_of_tenant(uint64_t buffer, uint32_t tenants) {
  return tenants > 1 ? buffer / tenants : buffer;
}

/* Of these, the bytes for one of so many trees over all ranks. A single tree that has a switch to
 * itself takes half. */
static inline uint64_t tree_share_of_buffer(uint64_t buffer, uint32_t trees, uint32_t tenants) {
  if (trees > 1 || tenants > 1) return tree_buffer_of_tenant(buffer, tenants) / trees;
  return buffer / 2 < AGGREGATOR_ALIGNMENT ? buffer : buffer / 2;
}

/* The window in such a share; of no bytes where it has no room for a packet. */
static inline struct tree_window tree_window_in(uint64_t share_of_buffers) {
  const uint64_t longest_segment = 2 << 20; /* bytes */
  const uint64_t smallest_window = 8;       /* segments, as long as they have a packet's size */
  const uint64_t share = smaller(share_of_buffers, UINT32_MAX); /* a window's bytes have 32 bits */
  uint64_t segment = longest_segment;
  while (segment > AGGREGATOR_ALIGNMENT && segment * smallest_window > share) segment /= 2;
  const struct tree_window window = {(uint32_t)segment, (uint32_t)(share / segment * segment)};
  return window;
}

/* For trees over all ranks, by the switches of the planned one. */
enum boot_report tree_choose_window(struct tree_manager* m);
/* For all rails. Leaves the last rail planned. */
enum boot_report tree_choose_rail_window(struct tree_manager* m);

#ifdef __cplusplus
}
#endif

#endif
