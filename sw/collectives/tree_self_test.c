#include "collectives/tree_self_test.h"

#include "collectives/tree_roots.h"
#include "collectives/tree_streams.h"
#include "hal/hal.h"

enum { TEST_TIMEOUT_NS = 1000000 }; /* a packet there and back over any network */

static int has_members(const struct tree_manager* m, uint32_t index) {
  for (uint32_t i = 0; i < tree_ports_of(&m->network, index); ++i) {
    if (tree_port_of(&m->network, index, i)->kind == AGGREGATOR_MEMORY &&
        tree_is_child(&m->plan, &m->network, index, i))
      return 1;
  }
  return 0;
}

enum boot_report tree_test(const struct tree_manager* m, uint32_t tree) {
  if (!tree_plan_reduces(m)) return BOOT_REPORT_OK;
  struct aggregator_stream stream = {.mode = AGGREGATOR_MULTICAST,
                                     .dtype = BOOT_INT32,
                                     .op = BOOT_SUM,
                                     .segment = AGGREGATOR_ALIGNMENT,
                                     .window = 1,
                                     .target = AGGREGATOR_NO_GROUP,
                                     .bytes = AGGREGATOR_ALIGNMENT,
                                     .result_offset = 0};
  if (tree_arm_groups(m, tree, &stream, 0) != STATUS_OK) return BOOT_REPORT_BUFFER;
  for (uint32_t i = 0; i < m->plan.switches; ++i) {
    const uint16_t index = m->plan.order[i];
    if (has_members(m, index)) aggregator_test(m->network.registers[index], m->group[tree][index]);
  }
  const uint64_t deadline = hal_time_ns() + TEST_TIMEOUT_NS;
  for (uint32_t i = 0; i < m->plan.switches; ++i) {
    const uint16_t index = m->plan.order[i];
    if (!has_members(m, index)) continue;
    while (aggregator_tested(m->network.registers[index], m->group[tree][index]) == 0) {
      if (hal_time_ns() > deadline) return BOOT_REPORT_SELF_TEST;
    }
  }
  return BOOT_REPORT_OK;
}
