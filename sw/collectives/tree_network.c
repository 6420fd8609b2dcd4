#include "collectives/tree_network.h"

#include "collectives/peer.h"
#include "hal/hal.h"
#include "regs/aggregator_regs.h"

/* Of rank windows that ascend, as those of most systems do, a search; else all are looked at. */
static uint16_t rank_at(const struct boot_block* boot, uint64_t base, int is_ascending) {
  uint32_t low = 0, high = boot->ranks;
  while (is_ascending && low < high) {
    const uint32_t middle = low + (high - low) / 2;
    const uint64_t window = peer_window(boot, middle);
    if (window == base) return (uint16_t)middle;
    if (window < base)
      low = middle + 1;
    else
      high = middle;
  }
  for (uint32_t rank = 0; !is_ascending && rank < boot->ranks; ++rank) {
    if (peer_window(boot, rank) == base) return (uint16_t)rank;
  }
  return TREE_NOBODY;
}

static int has_ascending_windows(const struct boot_block* boot) {
  uint64_t before = 0;
  for (uint32_t rank = 0; rank < boot->ranks; ++rank) {
    const uint64_t window = peer_window(boot, rank);
    if (window <= before) return 0;
    before = window;
  }
  return 1;
}

static uint16_t switch_at(const struct tree_network* network, uint64_t window) {
  for (uint32_t i = 0; i < network->switches; ++i) {
    if (network->window[i] == window) return (uint16_t)i;
  }
  return TREE_NOBODY;
}

static void look_around(struct tree_network* network, uint32_t index, const struct boot_block* boot,
                        int is_ascending) {
  const uint32_t first = network->first_port[index];
  for (uint32_t i = first; i < network->first_port[index + 1]; ++i) {
    uint64_t address = 0;
    struct tree_port* port = &network->port[i];
    port->kind =
        (uint16_t)aggregator_look(network->registers[index], boot->tenant, i - first, &address);
    port->peer = TREE_NOBODY;
    if (port->kind == AGGREGATOR_MEMORY) port->peer = rank_at(boot, address, is_ascending);
    if (port->kind == AGGREGATOR_SWITCH) port->peer = switch_at(network, address);
  }
}

static uint32_t ports_of_rank(const struct tree_network* network, uint16_t rank) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < network->first_port[network->switches]; ++i) {
    count += network->port[i].kind == AGGREGATOR_MEMORY && network->port[i].peer == rank;
  }
  return count;
}

enum boot_report tree_discover(struct tree_network* network, const struct boot_block* boot) {
  network->switches = hal_device_count(AGGREGATOR_BLOCK_ID);
  network->ranks = boot->ranks;
  if (network->switches > TREE_MOST_SWITCHES || boot->ranks > TREE_MOST_RANKS)
    return BOOT_REPORT_SIZE;
  network->first_port[0] = 0;
  for (uint32_t i = 0; i < network->switches; ++i) {
    const uint64_t registers = hal_device(AGGREGATOR_BLOCK_ID, i);
    network->registers[i] = registers;
    if (aggregator_open(registers) != STATUS_OK) return BOOT_REPORT_NO_AGGREGATOR;
    network->window[i] = hal_read64(registers + AGGREGATOR_WINDOW_BASE);
    network->first_port[i + 1] = network->first_port[i] + hal_read32(registers + AGGREGATOR_PORTS);
    if (network->first_port[i + 1] > TREE_MOST_PORTS) return BOOT_REPORT_SIZE;
  }
  const int is_ascending = has_ascending_windows(boot);
  for (uint32_t i = 0; i < network->switches; ++i) look_around(network, i, boot, is_ascending);
  network->ports_of_a_rank = ports_of_rank(network, 0);
  return BOOT_REPORT_OK;
}
