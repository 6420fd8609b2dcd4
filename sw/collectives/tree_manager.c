#include "collectives/tree_manager.h"

#include "collectives/algorithms.h"
#include "collectives/layout.h"
#include "collectives/partition.h"
#include "collectives/peer.h"
#include "drivers/arithmetic.h"
#include "drivers/exchange.h"
#include "hal/hal.h"
#include "regs/aggregator_regs.h"

enum {
  LONGEST_SEGMENT = 2 << 20, /* bytes */
  SMALLEST_WINDOW = 8,       /* segments, as long as they have a packet's size */
  TEST_TIMEOUT_NS = 1000000, /* a packet there and back over any network */
  WATCHDOG_SHARE = 2,        /* of the ranks' patience, so that the watchdog is the first to tell */
  WATCHDOG_STEPS = 64,       /* a tier waits so much longer than the one below: 1 / 64 */
};

void tree_manager_open(struct tree_manager* manager) {
  hal_read_block(&manager->boot, hal_boot_address(), sizeof manager->boot);
  manager->trees = manager->rails = 0;
  manager->has_second_phase = manager->trees_only_copy = 0;
  manager->trees_failed = manager->rails_failed = BOOT_REPORT_OK;
  manager->network.switches = 0;
}

/* Trees ------------------------------------------------------------------------------------- */

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

/* By switch, whether it may be in the tree. Rails always reduce. */
static const uint8_t* switches_for(const struct tree_manager* m, uint32_t tree) {
  return tree < TREE_FIRST_RAIL && m->trees_only_copy ? m->may_copy : m->may_reduce;
}

/* The ranks of a tree: all, or of a rail one of every pod. */
static struct tree_ranks ranks_of(const struct tree_manager* m, uint32_t tree) {
  const struct tree_ranks all = {0, 1};
  const struct tree_ranks of_rail = {tree - TREE_FIRST_RAIL, m->rails};
  return tree < TREE_FIRST_RAIL ? all : of_rail;
}

static const struct tree_window* window_for(const struct tree_manager* m, uint32_t tree) {
  return tree < TREE_FIRST_RAIL ? &m->window : &m->rail_window;
}

/* Which of a rank's flags and places are those of the tree. */
static uint32_t slot_of(uint32_t tree) {
  return tree < TREE_FIRST_RAIL ? tree : TREE_RAIL;
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

/* Roots of the lowest trees, spread over all switches that can be one. */
static enum boot_report choose_roots(struct tree_manager* m, uint32_t wanted) {
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

/* Of each rail, spread over the switches likewise. */
static enum boot_report choose_rail_roots(struct tree_manager* m) {
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

static void plan_tree(struct tree_manager* m, uint32_t tree) {
  tree_plan_from(&m->plan, &m->network, switches_for(m, tree), ranks_of(m, tree), m->root[tree]);
}

/* Whether every switch of the planned tree has reduction units. */
static int plan_reduces(const struct tree_manager* m) {
  for (uint32_t i = 0; i < m->plan.switches; ++i) {
    if (!m->may_reduce[m->plan.order[i]]) return 0;
  }
  return 1;
}

static uint32_t ports_of(const struct tree_manager* m, uint32_t index) {
  return m->network.first_port[index + 1] - m->network.first_port[index];
}

static const struct tree_port* port_of(const struct tree_manager* m, uint32_t index,
                                       uint32_t port) {
  return &m->network.port[m->network.first_port[index] + port];
}

static uint64_t window_of(const struct tree_manager* m, uint32_t tree, uint32_t index) {
  return aggregator_window(m->network.registers[index], m->group[tree][index]);
}

static uint64_t offset_in_window(const struct tree_manager* m, uint32_t flag) {
  /* Flags lie alike in every window, the manager's own included. */
  return m->boot.flags - m->boot.self + flag * sizeof(uint32_t);
}

static void add_children(struct tree_manager* m, uint32_t tree, uint32_t index) {
  const uint64_t registers = m->network.registers[index];
  for (uint32_t i = 0; i < ports_of(m, index); ++i) {
    if (!tree_is_child(&m->plan, &m->network, index, i)) continue;
    const struct tree_port* port = port_of(m, index, i);
    struct aggregator_child child = {0, port->peer, port->kind == AGGREGATOR_MEMORY};
    child.address =
        child.is_member ? peer_window(&m->boot, port->peer) : window_of(m, tree, port->peer);
    if (!child.is_member) child.number = m->plan.first[port->peer];
    aggregator_add_child(registers, m->group[tree][index], &child);
  }
}

/* Of the first so many switches of the plan. */
static void release(const struct tree_manager* m, uint32_t tree, uint32_t switches) {
  for (uint32_t i = 0; i < switches; ++i) {
    const uint16_t index = m->plan.order[i];
    aggregator_release(m->network.registers[index], m->group[tree][index]);
  }
}

static enum boot_report allocate(struct tree_manager* m, uint32_t tree) {
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

static void program(struct tree_manager* m, uint32_t tree) {
  for (uint32_t i = 0; i < m->plan.switches; ++i) {
    const uint16_t index = m->plan.order[i];
    const uint16_t parent = m->plan.parent[index];
    aggregator_set_place(m->network.registers[index], m->group[tree][index],
                         parent == TREE_NOBODY ? 0 : window_of(m, tree, parent),
                         offset_in_window(m, FLAG_TREE + 2 * slot_of(tree)), watchdog(m, index));
    add_children(m, tree, index);
  }
}

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
    plan_tree(m, tree);
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

static enum boot_report choose_window(struct tree_window* window, uint64_t share) {
  uint64_t segment = LONGEST_SEGMENT;
  while (segment > AGGREGATOR_ALIGNMENT && segment * SMALLEST_WINDOW > share) segment /= 2;
  const uint64_t segments = share / segment;
  if (segments == 0) return BOOT_REPORT_BUFFER;
  window->segment = (uint32_t)segment;
  window->bytes = (uint32_t)(segments * segment);
  return BOOT_REPORT_OK;
}

/* The child of a switch that leads to the rank. */
static uint32_t child_towards(const struct tree_manager* m, uint32_t index, uint32_t rank) {
  uint16_t below = TREE_NOBODY; /* the switch next to it on the way */
  for (uint16_t at = m->plan.leaf[rank]; at != index; at = m->plan.parent[at]) {
    if (at == TREE_NOBODY) return AGGREGATOR_NO_GROUP;
    below = at;
  }
  uint32_t child = 0;
  for (uint32_t i = 0; i < ports_of(m, index); ++i) {
    if (!tree_is_child(&m->plan, &m->network, index, i)) continue;
    const struct tree_port* port = port_of(m, index, i);
    const int is_it = below == TREE_NOBODY ? port->kind == AGGREGATOR_MEMORY && port->peer == rank
                                           : port->kind == AGGREGATOR_SWITCH && port->peer == below;
    if (is_it) return child;
    ++child;
  }
  return AGGREGATOR_NO_GROUP;
}

static enum status arm_all(const struct tree_manager* m, uint32_t tree,
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

static int has_members(const struct tree_manager* m, uint32_t index) {
  for (uint32_t i = 0; i < ports_of(m, index); ++i) {
    if (port_of(m, index, i)->kind == AGGREGATOR_MEMORY &&
        tree_is_child(&m->plan, &m->network, index, i))
      return 1;
  }
  return 0;
}

/* The test packet is a reduction: a tree with a switch that only copies is not tested. */
static enum boot_report test_tree(const struct tree_manager* m, uint32_t tree) {
  if (!plan_reduces(m)) return BOOT_REPORT_OK;
  struct aggregator_stream stream = {.mode = AGGREGATOR_MULTICAST,
                                     .dtype = BOOT_INT32,
                                     .op = BOOT_SUM,
                                     .segment = AGGREGATOR_ALIGNMENT,
                                     .window = 1,
                                     .target = AGGREGATOR_NO_GROUP,
                                     .bytes = AGGREGATOR_ALIGNMENT,
                                     .result_offset = 0};
  if (arm_all(m, tree, &stream, 0) != STATUS_OK) return BOOT_REPORT_BUFFER;
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

static void tell_ranks(const struct tree_manager* m, uint32_t tree) {
  const struct tree_window* window = window_for(m, tree);
  const uint64_t at = offset_in_window(m, FLAG_TREE_PLACE + 4 * slot_of(tree));
  for (uint32_t rank = 0; rank < m->network.ranks; ++rank) {
    const uint16_t leaf = m->plan.leaf[rank];
    if (leaf == TREE_NOBODY) continue;
    const uint64_t registers = m->network.registers[leaf];
    const uint64_t base = peer_window(&m->boot, rank);
    aggregator_send_word(registers, base + at, window_of(m, tree, leaf));
    aggregator_send_word(registers, base + at + sizeof(uint64_t),
                         (uint64_t)window->bytes << 32 | window->segment);
  }
}

static enum boot_report make_tree(struct tree_manager* m, uint32_t tree) {
  plan_tree(m, tree);
  enum boot_report report =
      tree == 0 ? choose_window(&m->window, share_of_buffer(m)) : BOOT_REPORT_OK;
  if (report == BOOT_REPORT_OK) report = allocate(m, tree);
  if (report != BOOT_REPORT_OK) return report;
  program(m, tree);
  report = test_tree(m, tree);
  if (report == BOOT_REPORT_OK)
    tell_ranks(m, tree);
  else
    release(m, tree, m->plan.switches);
  return report;
}

/* All of them, or none. */
static enum boot_report make_each(struct tree_manager* m, uint32_t first, uint32_t count) {
  enum boot_report report = BOOT_REPORT_OK;
  uint32_t made = 0;
  while (made < count && report == BOOT_REPORT_OK) {
    report = make_tree(m, first + made);
    if (report == BOOT_REPORT_OK) ++made;
  }
  while (report != BOOT_REPORT_OK && made-- > 0) {
    plan_tree(m, first + made);
    release(m, first + made, m->plan.switches);
  }
  return report;
}

/* Through switches that reduce; where there are none, jobs that only copy do without. */
static enum boot_report make_trees(struct tree_manager* m, uint32_t wanted, int only_copy) {
  enum boot_report report = discover(m);
  m->trees_only_copy = 0;
  if (report == BOOT_REPORT_OK) report = choose_roots(m, wanted);
  if (report == BOOT_REPORT_NO_AGGREGATOR && only_copy) {
    m->trees_only_copy = 1;
    report = choose_roots(m, wanted);
  }
  if (report == BOOT_REPORT_OK) report = make_each(m, 0, m->trees);
  if (report != BOOT_REPORT_OK) m->trees = 0;
  m->trees_failed = report;
  return report;
}

static enum boot_report make_rails(struct tree_manager* m, uint32_t rails) {
  if (rails > TREE_MOST_RAILS) return BOOT_REPORT_SIZE;
  enum boot_report report = discover(m);
  m->rails = rails;
  if (report == BOOT_REPORT_OK) report = choose_rail_roots(m);
  if (report == BOOT_REPORT_OK) report = choose_window(&m->rail_window, share_of_rails(m));
  if (report == BOOT_REPORT_OK) report = make_each(m, TREE_FIRST_RAIL, rails);
  if (report != BOOT_REPORT_OK) m->rails = 0;
  m->rails_failed = report;
  return report;
}

/* Jobs -------------------------------------------------------------------------------------- */

/* Of a reduce-scatter: which bytes go to which child. */
static void set_parts(const struct tree_manager* m, const struct boot_job* job, uint32_t tree,
                      uint32_t index) {
  const uint32_t ranks = m->network.ranks;
  uint32_t child = 0;
  for (uint32_t i = 0; i < ports_of(m, index); ++i) {
    if (!tree_is_child(&m->plan, &m->network, index, i)) continue;
    const struct tree_port* port = port_of(m, index, i);
    const int is_member = port->kind == AGGREGATOR_MEMORY;
    const struct range from =
        chunk_of(job->elements, ranks, is_member ? port->peer : m->plan.first[port->peer]);
    const struct range to =
        chunk_of(job->elements, ranks, is_member ? port->peer : m->plan.last[port->peer]);
    aggregator_set_part(m->network.registers[index], m->group[tree][index], child++,
                        from.begin * job->element_bytes,
                        (to.begin + to.count - from.begin) * job->element_bytes);
  }
}

static enum aggregator_mode mode_of(const struct boot_job* job) {
  switch (job->collective) {
    case BOOT_REDUCE:
      return AGGREGATOR_ROOT;
    case BOOT_REDUCE_SCATTER:
      return AGGREGATOR_SCATTER;
    case BOOT_BROADCAST:
    case BOOT_ALLGATHER:
      return AGGREGATOR_COPY;
    case BOOT_ALLTOALL:
      return AGGREGATOR_EXCHANGE;
    default:
      return AGGREGATOR_MULTICAST;
  }
}

static int adds(enum aggregator_mode mode) {
  return mode != AGGREGATOR_COPY && mode != AGGREGATOR_EXCHANGE;
}

/* Why the planned tree cannot take the share of a job. */
static enum boot_report obstacle_to(const struct tree_manager* m, enum aggregator_mode mode,
                                    uint64_t bytes) {
  const uint64_t table = mode == AGGREGATOR_EXCHANGE ? EXCHANGE_TABLE_BYTES : 0;
  if (adds(mode) && !plan_reduces(m)) return BOOT_REPORT_NO_AGGREGATOR;
  if (mode == AGGREGATOR_EXCHANGE && m->plan.deepest != 0) return BOOT_REPORT_TIERS;
  if (mode == AGGREGATOR_SCATTER && !tree_keeps_ranks_together(&m->plan)) return BOOT_REPORT_ORDER;
  if (table + bytes > m->longest_stream) return BOOT_REPORT_WINDOW;
  return BOOT_REPORT_OK;
}

static enum boot_report arm_tree(struct tree_manager* m, const struct boot_job* job, uint32_t tree,
                                 enum aggregator_mode mode, struct tree_share share) {
  const int is_barrier = job->collective == BOOT_BARRIER;
  if (share.bytes == 0) return BOOT_REPORT_OK;
  struct aggregator_stream stream = {
      .mode = mode,
      .dtype = is_barrier || !adds(mode) ? BOOT_INT32 : job->dtype,
      .op = adds(mode) ? job->op : BOOT_SUM,
      .segment = share.segment,
      .window = tree_window_segments(window_for(m, tree)->bytes, &share),
      .target = AGGREGATOR_NO_GROUP,
      .bytes = share.bytes,
      .result_offset = tree_data(job) + share.begin};
  plan_tree(m, tree);
  const enum boot_report obstacle = obstacle_to(m, mode, share.bytes);
  if (obstacle != BOOT_REPORT_OK) return obstacle;
  for (uint32_t i = 0; i < m->plan.switches && mode == AGGREGATOR_SCATTER; ++i) {
    set_parts(m, job, tree, m->plan.order[i]);
  }
  if (arm_all(m, tree, &stream, job->root) == STATUS_OK) return BOOT_REPORT_OK;
  for (uint32_t i = 0; i < m->plan.switches; ++i) {
    const uint16_t index = m->plan.order[i];
    aggregator_reset(m->network.registers[index], m->group[tree][index]);
  }
  return BOOT_REPORT_BUFFER;
}

/* The first tree brings the sum to the root, which pushes it into the other one. */
static enum boot_report arm_two_phases(struct tree_manager* m, const struct boot_job* job) {
  enum boot_report report = BOOT_REPORT_OK;
  if (!m->has_second_phase) {
    m->root[TREE_SECOND_PHASE] = m->root[0];
    report = make_tree(m, TREE_SECOND_PHASE);
    m->has_second_phase = report == BOOT_REPORT_OK;
  }
  const struct tree_share whole = tree_share_of(job, m->network.ranks, 1, 0, m->window.segment);
  if (report == BOOT_REPORT_OK) report = arm_tree(m, job, 0, AGGREGATOR_ROOT, whole);
  if (report == BOOT_REPORT_OK)
    report = arm_tree(m, job, TREE_SECOND_PHASE, AGGREGATOR_COPY, whole);
  return report;
}

/* Each rail sums the part of its rank of every pod. */
static enum boot_report arm_rails(struct tree_manager* m, const struct boot_job* job) {
  const uint32_t pod = job->slots;
  enum boot_report report = m->rails_failed;
  if (m->rails == 0 && report == BOOT_REPORT_OK) report = make_rails(m, pod);
  for (uint32_t i = 0; i < pod && report == BOOT_REPORT_OK; ++i) {
    report = arm_tree(m, job, TREE_FIRST_RAIL + i, AGGREGATOR_MULTICAST,
                      tree_share_of(job, m->network.ranks, pod, i, m->rail_window.segment));
  }
  return report;
}

enum boot_report tree_manager_set_up(struct tree_manager* m, const struct boot_job* job) {
  if (job->algorithm == BOOT_NVLS_TREE) return arm_rails(m, job);
  enum boot_report report = m->trees_failed;
  const int only_copies = !adds(mode_of(job));
  const int may_copy = report == BOOT_REPORT_NO_AGGREGATOR && only_copies && !m->trees_only_copy;
  if (m->trees == 0 && (report == BOOT_REPORT_OK || may_copy))
    report = make_trees(m, job->iterations, only_copies);
  if (report == BOOT_REPORT_OK && job->algorithm == BOOT_TREE_TWO_PHASE)
    return arm_two_phases(m, job);
  for (uint32_t tree = 0; tree < m->trees && report == BOOT_REPORT_OK; ++tree) {
    report = arm_tree(m, job, tree, mode_of(job),
                      tree_share_of(job, m->network.ranks, m->trees, tree, m->window.segment));
  }
  return report;
}
