#include "collectives/tree_streams.h"

#include "collectives/partition.h"

/* The child of a switch that leads to the rank. */
static uint32_t child_towards(const struct tree_manager* m, uint32_t index, uint32_t rank) {
  uint16_t below = TREE_NOBODY; /* the switch next to it on the way */
  for (uint16_t at = m->plan.leaf[rank]; at != index; at = m->plan.parent[at]) {
    if (at == TREE_NOBODY) return AGGREGATOR_NO_GROUP;
    below = at;
  }
  uint32_t child = 0;
  for (uint32_t i = 0; i < tree_ports_of(&m->network, index); ++i) {
    if (!tree_is_child(&m->plan, &m->network, index, i)) continue;
    const struct tree_port* port = tree_port_of(&m->network, index, i);
    const int is_it = below == TREE_NOBODY ? port->kind == AGGREGATOR_MEMORY && port->peer == rank
                                           : port->kind == AGGREGATOR_SWITCH && port->peer == below;
    if (is_it) return child;
    ++child;
  }
  return AGGREGATOR_NO_GROUP;
}

enum status tree_arm_groups(const struct tree_manager* m, uint32_t tree,
                            struct aggregator_stream* stream, uint32_t root) {
  enum status status = STATUS_OK;
  for (uint32_t i = 0; i < m->plan.switches && status == STATUS_OK; ++i) {
    const uint16_t index = m->plan.order[i];
    const uint64_t registers = m->network.registers[index];
    stream->target = AGGREGATOR_NO_GROUP;
    if (stream->mode == AGGREGATOR_ROOT) stream->target = child_towards(m, index, root);
    aggregator_arm(registers, m->group[tree][index], stream);
    status = aggregator_check(registers, m->group[tree][index]);
  }
  return status;
}

void tree_reset_groups(const struct tree_manager* m, uint32_t tree) {
  for (uint32_t i = 0; i < m->plan.switches; ++i) {
    const uint16_t index = m->plan.order[i];
    aggregator_reset(m->network.registers[index], m->group[tree][index]);
  }
}

/* Of a reduce-scatter: which bytes go to which child. */
static void set_parts(const struct tree_manager* m, const struct boot_job* job, uint32_t tree,
                      uint32_t index) {
  const uint32_t ranks = m->network.ranks;
  uint32_t child = 0;
  for (uint32_t i = 0; i < tree_ports_of(&m->network, index); ++i) {
    if (!tree_is_child(&m->plan, &m->network, index, i)) continue;
    const struct tree_port* port = tree_port_of(&m->network, index, i);
    const int is_member = port->kind == AGGREGATOR_MEMORY;
    const struct range from =
        chunk_of(job->elements, ranks, is_member ? port->peer : m->plan.first[port->peer]);
    const struct range to =
        chunk_of(job->elements, ranks, is_member ? port->peer : m->plan.last[port->peer]);
    aggregator_set_part(m->network.registers[index], m->boot.tenant, m->group[tree][index], child++,
                        from.begin * job->element_bytes,
                        (to.begin + to.count - from.begin) * job->element_bytes);
  }
}

void tree_set_parts(const struct tree_manager* m, const struct boot_job* job, uint32_t tree) {
  for (uint32_t i = 0; i < m->plan.switches; ++i) set_parts(m, job, tree, m->plan.order[i]);
}
