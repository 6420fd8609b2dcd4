/* What a manager learns of the network around the aggregators that it reaches: which ranks and
 * which other switches are at their ports. It asks the aggregators alone, by their registers.
 */
#ifndef HEDDLE_TREE_NETWORK_H
#define HEDDLE_TREE_NETWORK_H

#include <stdint.h>

#include "drivers/aggregator.h"
#include "drivers/status.h"
#include "hal/boot.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  TREE_MOST_SWITCHES = 512,
  TREE_MOST_PORTS = 12288, /* of all switches */
  TREE_MOST_RANKS = 8192,
  TREE_NOBODY = 0xffff, /* no rank, no switch */
};

struct tree_port {
  uint16_t kind; /* enum aggregator_neighbor */
  uint16_t peer; /* rank or switch; TREE_NOBODY: none of this workload, none that is known */
};

struct tree_network {
  uint32_t switches;
  uint64_t registers[TREE_MOST_SWITCHES];
  uint64_t window[TREE_MOST_SWITCHES];         /* of group 0: what neighbors know a switch by */
  uint32_t first_port[TREE_MOST_SWITCHES + 1]; /* in the table of ports */
  struct tree_port port[TREE_MOST_PORTS];
  uint32_t ranks;
  uint32_t ports_of_a_rank; /* most switches that see the same rank: planes */
};

/* How many ports a switch has, and one of them. */
static inline uint32_t tree_ports_of(const struct tree_network* network, uint32_t at_switch) {
  return network->first_port[at_switch + 1] - network->first_port[at_switch];
}
static inline const struct tree_port* tree_port_of(const struct tree_network* network,
                                                   uint32_t at_switch, uint32_t port) {
  return &network->port[network->first_port[at_switch] + port];
}

/* BOOT_REPORT_SIZE where the network is too large for the tables. */
enum boot_report tree_discover(struct tree_network* network, const struct boot_block* boot);

#ifdef __cplusplus
}
#endif

#endif
