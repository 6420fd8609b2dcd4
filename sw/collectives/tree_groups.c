#include "collectives/tree_groups.h"

#include "collectives/layout.h"
#include "collectives/peer.h"

enum {
  WATCHDOG_SHARE = 2,  /* of the ranks' patience, so that the watchdog is the first to tell */
  WATCHDOG_STEPS = 64, /* a tier waits so much longer than the one below: 1 / 64 */
};

uint64_t tree_window_of(const struct tree_manager* m, uint32_t tree, uint32_t index) {
  return aggregator_window(m->network.registers[index], m->group[tree][index]);
}

uint64_t tree_flag_offset(const struct tree_manager* m, uint32_t flag) {
  /* Flags lie alike in every window, the manager's own included. */
  return m->boot.flags - m->boot.self + flag * sizeof(uint32_t);
}

static void add_children(struct tree_manager* m, uint32_t tree, uint32_t index) {
  const uint64_t registers = m->network.registers[index];
  for (uint32_t i = 0; i < tree_ports_of(&m->network, index); ++i) {
    if (!tree_is_child(&m->plan, &m->network, index, i)) continue;
    const struct tree_port* port = tree_port_of(&m->network, index, i);
    struct aggregator_child child = {0, port->peer, port->kind == AGGREGATOR_MEMORY};
    child.address =
        child.is_member ? peer_window(&m->boot, port->peer) : tree_window_of(m, tree, port->peer);
    if (!child.is_member) child.number = m->plan.first[port->peer];
    aggregator_add_child(registers, m->boot.tenant, m->group[tree][index], &child);
  }
}

/* Of the first so many switches of the plan. */
static void release(const struct tree_manager* m, uint32_t tree, uint32_t switches) {
  for (uint32_t i = 0; i < switches; ++i) {
    const uint16_t index = m->plan.order[i];
    aggregator_release(m->network.registers[index], m->group[tree][index]);
  }
}

enum boot_report tree_allocate_groups(struct tree_manager* m, uint32_t tree) {
  for (uint32_t i = 0; i < m->plan.switches; ++i) {
    const uint16_t index = m->plan.order[i];
    const uint64_t registers = m->network.registers[index];
    const uint32_t group = aggregator_allocate(registers);
    if (group == AGGREGATOR_NO_GROUP) {
      release(m, tree, i);
      return BOOT_REPORT_GROUPS;
    }
    m->group[tree][index] = (uint8_t)group;
  }
  return BOOT_REPORT_OK;
}

/* Each tier's watchdog goes off after that of the tier below, which knows better who is missing. */
static uint64_t watchdog(const struct tree_manager* m, uint32_t index) {
  const uint64_t patience = m->boot.timeout_ns / WATCHDOG_SHARE;
  return patience + patience / WATCHDOG_STEPS * (m->plan.deepest - m->plan.depth[index]);
}

void tree_program_groups(struct tree_manager* m, uint32_t tree) {
  for (uint32_t i = 0; i < m->plan.switches; ++i) {
    const uint16_t index = m->plan.order[i];
    const uint16_t parent = m->plan.parent[index];
    aggregator_set_place(m->network.registers[index], m->group[tree][index],
                         parent == TREE_NOBODY ? 0 : tree_window_of(m, tree, parent),
                         tree_flag_offset(m, FLAG_TREE + 2 * tree_slot_of(tree)),
                         watchdog(m, index));
    add_children(m, tree, index);
  }
}

void tree_release_groups(const struct tree_manager* m, uint32_t tree) {
  release(m, tree, m->plan.switches);
}
