/* What a rank knows about itself and its peers, and how a message crosses: data, then a counter.
 * One instance lives as long as the firmware, on the stack of main.
 */
#ifndef HEDDLE_COLLECTIVES_COMMUNICATOR_H
#define HEDDLE_COLLECTIVES_COMMUNICATOR_H

#include <stdint.h>

#include "collectives/layout.h"
#include "collectives/partition.h"
#include "collectives/scin_planes.h"
#include "collectives/tree.h"
#include "drivers/dma.h"
#include "drivers/multimem.h"
#include "drivers/status.h"
#include "drivers/vector.h"
#include "hal/boot.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Free-running counts, by DMA channel of the writer. */
struct ring_counters {
  uint32_t sent[DMA_MAX_CHANNELS];     /* messages to the next rank */
  uint32_t received[DMA_MAX_CHANNELS]; /* messages from the previous rank */
  uint32_t granted[DMA_MAX_CHANNELS];  /* credits given to the previous rank */
  uint32_t credited[DMA_MAX_CHANNELS]; /* credits taken from the next rank */
};

struct communicator {
  struct boot_block boot;
  struct dma dma;
  struct vector vector;
  struct multimem multimem; /* all 0 where the core has none */
  struct scin scin;
  struct tree_view tree;
  uint64_t next; /* memory windows of the neighbors on the ring */
  uint64_t previous;
  uint32_t how; /* counters of the present job follow their data: DMA_FENCE or DMA_ORDERED */
  struct ring_counters ring;
  uint64_t lines_sent; /* messages in lines to the next rank, and from the previous one */
  uint64_t lines_received;
  /* Jobs of this kind so far: every peer writes one message of each kind in a job. */
  uint32_t direct_jobs;
  uint32_t halving_jobs;
  uint32_t barrier_jobs;
  uint32_t point_to_point_messages;
  uint32_t multicast_arrivals; /* of all ranks, at the barriers so far */
  uint32_t tree_segments;      /* of all jobs so far, the same at every rank */
  uint32_t torus_messages;     /* likewise */
};

/* Data from here to the same layout at a peer, announced by a counter there. */
struct message {
  uint64_t destination;
  uint64_t source;
  uint64_t bytes;
  uint64_t counter; /* address at the peer */
  uint32_t count;   /* its new value */
};

/* Reads the boot block and sets up the hardware. */
enum status communicator_open(struct communicator* comm);

/* Base of the rank's memory window. */
uint64_t communicator_peer(const struct communicator* comm, uint32_t rank);

/* Address of counter `index` (enum flag_index, plus offset) in the window at `base`. */
uint64_t communicator_counter(const struct communicator* comm, uint64_t base, uint32_t index);

/* Posts data and then the counter on the channel, without the doorbell: the counter's new value is
 * visible only after all of the data. Without data only the counter crosses. */
enum status communicator_post(struct communicator* comm, uint32_t channel,
                              const struct message* message);

/* Posts, and rings the doorbell. */
enum status communicator_send(struct communicator* comm, uint32_t channel,
                              const struct message* message);

/* Waits until our own counter has reached the count. */
enum status communicator_await(const struct communicator* comm, uint32_t index, uint32_t count);

#ifdef __cplusplus
}
#endif

#endif
