/* A collective as a program of steps: messages to peers, waits for theirs, reductions. An algorithm
 * says its steps in order, once; either the core does each in its turn, or the DMA engine does them
 * as a chain of descriptors (BOOT_JOB_CHAINED) and the core waits for the end alone. The steps of a
 * channel happen in the order in which they are said; a core does all of them in that order.
 */
#ifndef HEDDLE_COLLECTIVES_STEPS_H
#define HEDDLE_COLLECTIVES_STEPS_H

#include "collectives/communicator.h"

#ifdef __cplusplus
extern "C" {
#endif

struct steps {
  struct communicator* comm;
  const struct boot_job* job;
  uint32_t channels;                 /* with steps of a chain, a bit each */
  uint32_t before[DMA_MAX_CHANNELS]; /* descriptors of each when the first step was posted */
};

/* `reduces`: there are reductions among the steps, by type and operator of the job. */
enum status steps_begin(struct steps* steps, struct communicator* comm, const struct boot_job* job,
                        int reduces);

/* The channel for a stream of steps: those of different streams need not wait for each other. */
uint32_t steps_channel(const struct steps* steps, uint32_t stream);

/* Whether a chain takes a few more steps of that channel without waiting. A core that has steps of
 * other channels goes on with those meanwhile. */
int steps_have_room(const struct steps* steps, uint32_t channel);

/* Whether so many streams of steps run side by side: in a chain, with a channel for each. */
int steps_are_parallel(const struct steps* steps, uint32_t streams);

enum status steps_send(struct steps* steps, uint32_t channel, const struct message* message);

/* Waits until our own counter has reached the count. */
enum status steps_await(struct steps* steps, uint32_t channel, uint32_t flag, uint32_t count);

/* Sets a counter of our own, for the steps of another channel that wait for it. */
enum status steps_signal(struct steps* steps, uint32_t channel, uint32_t flag, uint32_t count);

/* own[to] = own[to] OP own[from]; offsets from the base of the window. What was sent on the channel
 * before and lies at `to` has to be settled. */
enum status steps_reduce(struct steps* steps, uint32_t channel, uint64_t to, uint64_t from,
                         uint64_t elements);

/* From one place in our own memory to another. */
enum status steps_move(struct steps* steps, uint32_t channel, uint64_t to, uint64_t from,
                       uint64_t bytes);

/* Whatever was sent has been read: reductions may overwrite it. In a chain that is so anyway. */
enum status steps_settle(struct steps* steps);

/* All steps are done. What was sent may still be on its way. */
enum status steps_end(struct steps* steps);

#ifdef __cplusplus
}
#endif

#endif
