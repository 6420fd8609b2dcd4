/* Driver of the multi-channel DMA engine. Descriptors are posted into the ring of a channel and
 * take effect with its next doorbell: a batch costs one register write.
 *
 * Limitations: one core owns the engine. Completion is polled, interrupts are not used. The driver
 * resets no channel. Firmware that does writes control.reset and polls status until its state is
 * IDLE; in RESET, bursts of dropped descriptors still land, so that ring and buffers must not be
 * touched. Then it sets `entry`, `posted`, `announced` and `completed` of the channel to 0, as the
 * engine has done.
 */
#ifndef HEDDLE_DMA_H
#define HEDDLE_DMA_H

#include <stdint.h>

#include "drivers/dma_descriptor.h"
#include "drivers/status.h"
#include "hal/boot.h"

#ifdef __cplusplus
extern "C" {
#endif

#define DMA_MAX_CHANNELS 16
/* Collectives reserve room for up to so many descriptors at a time, which a shorter ring never has.
 */
#define DMA_MIN_RING_ENTRIES 4

/* Free-running counts of descriptors: written to the ring, announced, and known to have completed.
 * They go on at 0 after 2^32 - 1, in the middle of most rings, so `entry` is kept beside them. */
struct dma_channel {
  uint64_t ring;
  uint32_t entry; /* of the ring, into which the next descriptor is written */
  uint32_t posted;
  uint32_t announced;
  uint32_t completed;
};

struct dma {
  uint64_t registers;
  uint64_t timeout_ns;
  uint32_t ring_entries;
  uint32_t channels;
  struct dma_channel channel[DMA_MAX_CHANNELS];
};

/* Sets up the rings of boot.channels channels. The channels must be idle. */
enum status dma_open(struct dma* dma, const struct boot_block* boot);

/* Waits until the ring has room for so many descriptors, so that posting them will not wait. */
enum status dma_reserve(struct dma* dma, uint32_t channel, uint32_t descriptors);

/* Whether the ring has room for so many descriptors now. */
int dma_has_room(struct dma* dma, uint32_t channel, uint32_t descriptors);

/* Posts a copy of any length. Long ones take several descriptors, one of 0 bytes takes none. When
 * the ring is full this rings the doorbell for what is there and waits for room. */
enum status dma_copy(struct dma* dma, uint32_t channel, uint64_t destination, uint64_t source,
                     uint64_t bytes);

/* Posts a copy of up to a GiB that somebody acts on: its bytes are moved also where runs carry no
 * data. One of 0 bytes takes no descriptor. */
enum status dma_copy_control(struct dma* dma, uint32_t channel, uint64_t destination,
                             uint64_t source, uint32_t bytes);

/* Posts a copy of up to LINES_OF_MESSAGE lines' data into lines (line.h) that carry the flag; a
 * longer one is refused with STATUS_BAD_JOB. Of 0 bytes there are no lines: nothing is posted, and
 * no flag is written. */
enum status dma_copy_to_lines(struct dma* dma, uint32_t channel, uint64_t destination,
                              uint64_t source, uint64_t bytes, uint64_t flag);

/* Posts a write of a 32-bit value; flags are those of the descriptor (DMA_FENCE). */
enum status dma_write(struct dma* dma, uint32_t channel, uint64_t destination, uint32_t value,
                      uint32_t flags);

/* Posts a wait: what is behind it starts when the 32-bit counter in memory has reached the count.
 */
enum status dma_wait(struct dma* dma, uint32_t channel, uint64_t counter, uint32_t count);

/* What a reduction of the engine does: enum boot_dtype, enum boot_op. */
struct dma_reduction {
  uint32_t dtype;
  uint32_t op;
};

/* Posts destination = destination OP source over so many bytes, 0 included, of memory of our own.
 */
enum status dma_reduce(struct dma* dma, uint32_t channel, uint64_t destination, uint64_t source,
                       uint64_t bytes, struct dma_reduction how);

/* Posts a window: copies behind it keep within `bytes` of what the 32-bit counter has counted in
 * units of so many bytes since it stood at `count`; 0 bytes: no window any more. */
enum status dma_window(struct dma* dma, uint32_t channel, uint64_t counter, uint32_t count,
                       uint32_t bytes, uint64_t unit);

/* Announces what was posted; no register access when there is nothing new. */
void dma_ring_doorbell(struct dma* dma, uint32_t channel);
void dma_ring_doorbells(struct dma* dma);

/* Announces everything and waits until all of it has completed. */
enum status dma_drain(struct dma* dma);

/* Looks at the status of every channel; logs each one that has stopped. */
enum status dma_check(const struct dma* dma);

#ifdef __cplusplus
}
#endif

#endif
