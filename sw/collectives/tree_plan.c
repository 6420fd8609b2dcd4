#include "collectives/tree_plan.h"

static void clear(struct tree_plan* plan, const struct tree_network* network) {
  plan->switches = 0;
  plan->deepest = 0;
  for (uint32_t i = 0; i < network->switches; ++i) {
    plan->parent[i] = plan->depth[i] = TREE_NOBODY;
    plan->first[i] = TREE_NOBODY;
    plan->last[i] = plan->below[i] = 0;
  }
  for (uint32_t rank = 0; rank < network->ranks; ++rank) plan->leaf[rank] = TREE_NOBODY;
}

static int takes_part(struct tree_ranks ranks, uint32_t rank) {
  return rank >= ranks.first && (rank - ranks.first) % ranks.stride == 0;
}

/* Ranks go to the first switch that sees them; other switches are looked at in turn. */
static uint32_t visit(struct tree_plan* plan, const struct tree_network* network,
                      const uint8_t* may_take_part, struct tree_ranks ranks, uint16_t at_switch) {
  uint32_t found = 0;
  for (uint32_t i = 0; i < tree_ports_of(network, at_switch); ++i) {
    const struct tree_port* port = tree_port_of(network, at_switch, i);
    const uint16_t peer = port->peer;
    if (peer == TREE_NOBODY) continue;
    if (port->kind == AGGREGATOR_MEMORY && plan->leaf[peer] == TREE_NOBODY &&
        takes_part(ranks, peer)) {
      plan->leaf[peer] = at_switch;
      if (plan->depth[at_switch] > plan->deepest) plan->deepest = plan->depth[at_switch];
      ++found;
    }
    if (port->kind != AGGREGATOR_SWITCH || plan->depth[peer] != TREE_NOBODY) continue;
    if (!may_take_part[peer]) continue;
    plan->depth[peer] = (uint16_t)(plan->depth[at_switch] + 1);
    plan->parent[peer] = at_switch;
    plan->order[plan->switches++] = peer;
  }
  return found;
}

static void note_rank(struct tree_plan* plan, uint16_t at_switch, uint16_t rank) {
  for (uint16_t i = at_switch; i != TREE_NOBODY; i = plan->parent[i]) {
    if (plan->below[i] == 0 || rank < plan->first[i]) plan->first[i] = rank;
    if (rank > plan->last[i]) plan->last[i] = rank;
    ++plan->below[i];
  }
}

/* Switches without ranks below them are no part of the tree. */
static void prune(struct tree_plan* plan) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < plan->switches; ++i) {
    const uint16_t index = plan->order[i];
    if (plan->below[index] == 0)
      plan->depth[index] = plan->parent[index] = TREE_NOBODY;
    else
      plan->order[kept++] = index;
  }
  plan->switches = kept;
}

int tree_plan_from(struct tree_plan* plan, const struct tree_network* network,
                   const uint8_t* may_take_part, struct tree_ranks ranks, uint32_t root) {
  const uint32_t wanted = (network->ranks - ranks.first + ranks.stride - 1) / ranks.stride;
  clear(plan, network);
  if (!may_take_part[root]) return 0;
  plan->depth[root] = 0;
  plan->order[plan->switches++] = (uint16_t)root;
  uint32_t found = 0;
  for (uint32_t i = 0; i < plan->switches && found < wanted; ++i) {
    found += visit(plan, network, may_take_part, ranks, plan->order[i]);
  }
  if (found < wanted) return 0;
  for (uint32_t rank = ranks.first; rank < network->ranks; rank += ranks.stride) {
    note_rank(plan, plan->leaf[rank], (uint16_t)rank);
  }
  prune(plan);
  return 1;
}

int tree_is_child(const struct tree_plan* plan, const struct tree_network* network,
                  uint32_t at_switch, uint32_t port) {
  const struct tree_port* here = tree_port_of(network, at_switch, port);
  if (here->peer == TREE_NOBODY) return 0;
  if (here->kind == AGGREGATOR_MEMORY) {
    if (plan->leaf[here->peer] != at_switch) return 0;
  } else if (here->kind != AGGREGATOR_SWITCH || plan->parent[here->peer] != at_switch) {
    return 0;
  }
  for (uint32_t i = 0; i < port; ++i) {
    const struct tree_port* other = tree_port_of(network, at_switch, i);
    if (other->kind == here->kind && other->peer == here->peer) return 0;
  }
  return 1;
}

int tree_keeps_ranks_together(const struct tree_plan* plan) {
  for (uint32_t i = 0; i < plan->switches; ++i) {
    const uint16_t index = plan->order[i];
    if (plan->last[index] - plan->first[index] + 1 != plan->below[index]) return 0;
  }
  return 1;
}
