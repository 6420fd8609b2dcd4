/* Driver of the aggregators in switches, for the cores that manage them. Ranks only write into the
 * window of their group and wait for their flag.
 *
 * Several managers may share an aggregator. `tenant` says which one this is (boot_block.tenant), so
 * that nobody else writes to the registers in which it stages its commands.
 */
#ifndef HEDDLE_AGGREGATOR_H
#define HEDDLE_AGGREGATOR_H

#include <stdint.h>

#include "drivers/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define AGGREGATOR_NO_GROUP UINT32_MAX
#define AGGREGATOR_ALIGNMENT 128 /* of streams and segments */

/* Checks that there is one. */
enum status aggregator_open(uint64_t registers);

/* What is behind a port of the switch. */
enum aggregator_neighbor {
  AGGREGATOR_NOTHING = 0,
  AGGREGATOR_MEMORY = 1, /* address: where the memory of the endpoint begins */
  AGGREGATOR_SWITCH = 2, /* address: where the windows of its aggregator begin */
  AGGREGATOR_OTHER = 3,  /* a switch without an aggregator, or a unit without memory */
};
enum aggregator_neighbor aggregator_look(uint64_t registers, uint32_t tenant, uint32_t port,
                                         uint64_t* address);

/* The window of a group, on the fabric. */
uint64_t aggregator_window(uint64_t registers, uint32_t group);

/* Bytes of the longest stream: the end of a window is for what switches tell each other. */
uint64_t aggregator_longest_stream(uint64_t registers);

/* A group that nobody has; AGGREGATOR_NO_GROUP where there is none. */
uint32_t aggregator_allocate(uint64_t registers);
void aggregator_release(uint64_t registers, uint32_t group);

struct aggregator_child {
  uint64_t address; /* of a member's memory, or the window of the group below */
  uint32_t number;  /* rank of the member, or of the first below: names it in errors */
  int is_member;
};
/* Operands are added in the order in which children were. */
void aggregator_add_child(uint64_t registers, uint32_t tenant, uint32_t group,
                          const struct aggregator_child* child);
/* The part of the stream that goes to a child (AGGREGATOR_SCATTER). */
void aggregator_set_part(uint64_t registers, uint32_t tenant, uint32_t group, uint32_t child,
                         uint64_t first, uint64_t bytes);

/* What stays as long as the group does. parent: window of the group above, 0 for the root. */
void aggregator_set_place(uint64_t registers, uint32_t group, uint64_t parent, uint64_t flag_offset,
                          uint64_t watchdog_ns);

enum aggregator_mode {
  AGGREGATOR_MULTICAST = 0, /* results to all members */
  AGGREGATOR_ROOT = 1,      /* to one */
  AGGREGATOR_SCATTER = 2,   /* to each its part */
  AGGREGATOR_COPY = 3,      /* no reduction: what one pushes goes to all others */
  AGGREGATOR_EXCHANGE = 4,  /* chunks go where the table in front of them says (exchange.h) */
  AGGREGATOR_OVERLAY = 5,   /* multicast in the style of PCI Express, without stream and flags */
};
struct aggregator_stream {
  enum aggregator_mode mode;
  uint32_t dtype; /* enum boot_dtype */
  uint32_t op;    /* enum boot_op */
  uint32_t segment;
  uint32_t window; /* segments */
  uint32_t target; /* AGGREGATOR_ROOT: the child towards the root, AGGREGATOR_NO_GROUP: none */
  uint64_t bytes;
  uint64_t result_offset; /* in the memory of each member */
};
/* From then on children may push. Switches above are armed before those below them. */
void aggregator_arm(uint64_t registers, uint32_t group, const struct aggregator_stream* stream);

/* STATUS_AGGREGATOR_ERROR where the group has stopped. */
enum status aggregator_check(uint64_t registers, uint32_t group);
void aggregator_reset(uint64_t registers, uint32_t group);

/* One packet of zeros as if from every member; tested counts those that have come
 * back since the group was armed. */
void aggregator_test(uint64_t registers, uint32_t group);
uint32_t aggregator_tested(uint64_t registers, uint32_t group);

/* Writes a word into the memory of a member, by way of the switch. */
void aggregator_send_word(uint64_t registers, uint32_t tenant, uint64_t address, uint64_t value);
/* Waits until members see all words that this manager has sent. */
enum status aggregator_await_words(uint64_t registers, uint32_t tenant, uint64_t timeout_ns);

/* The error of a group as a flag carries it, for logs, with the rank that it is about. */
void aggregator_log_error(uint32_t high);

#ifdef __cplusplus
}
#endif

#endif
