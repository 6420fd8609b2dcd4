#include "drivers/dma.h"

#include "drivers/line.h"
#include "hal/hal.h"
#include "regs/dma_regs.h"

_Static_assert((int)BOOT_FP8 < 16 && (int)BOOT_XOR < 16, "types and operators have four bits");

/* Keeps the 32-bit length of a descriptor in range, a multiple of every alignment. */
#define DMA_LONGEST_COPY (UINT64_C(1) << 30)

static uint32_t outstanding(const struct dma_channel* channel) {
  return channel->posted - channel->completed;
}

enum status dma_open(struct dma* dma, const struct boot_block* boot) {
  dma->registers = hal_device(DMA_BLOCK_ID, 0);
  dma->timeout_ns = boot->timeout_ns;
  dma->ring_entries = boot->ring_entries;
  dma->channels = boot->channels;
  if (dma->channels == 0 || dma->channels > DMA_MAX_CHANNELS ||
      dma->channels > hal_read32(dma->registers + DMA_CHANNELS)) {
    hal_log("dma: cannot use so many channels", dma->channels);
    return STATUS_BAD_BOOT;
  }
  if (dma->ring_entries < DMA_MIN_RING_ENTRIES) {
    hal_log("dma: ring is too short", dma->ring_entries);
    return STATUS_BAD_BOOT;
  }
  for (uint32_t i = 0; i < dma->channels; ++i) {
    struct dma_channel* channel = &dma->channel[i];
    channel->ring = boot->rings + (uint64_t)i * dma->ring_entries * sizeof(struct dma_descriptor);
    channel->completed = hal_read32(dma->registers + DMA_CHANNEL_COMPLETED(i));
    channel->posted = channel->completed;
    channel->announced = channel->completed;
    channel->entry = 0; /* the engine begins there when it is told of the ring */
    hal_write64(dma->registers + DMA_CHANNEL_RING_BASE(i), channel->ring);
    hal_write32(dma->registers + DMA_CHANNEL_RING_ENTRIES(i), dma->ring_entries);
  }
  return STATUS_OK;
}

static enum status check_channel(const struct dma* dma, uint32_t index) {
  const uint32_t status = hal_read32(dma->registers + DMA_CHANNEL_STATUS(index));
  const uint32_t state = (status & DMA_CHANNEL_STATUS_STATE_MASK) >> DMA_CHANNEL_STATUS_STATE_POS;
  if (state != DMA_CHANNEL_STATUS_STATE_ERROR) return STATUS_OK;
  hal_log("dma: stopped channel", index);
  hal_log("dma: its error code",
          (status & DMA_CHANNEL_STATUS_ERROR_MASK) >> DMA_CHANNEL_STATUS_ERROR_POS);
  return STATUS_DMA_ERROR;
}

enum status dma_check(const struct dma* dma) {
  enum status result = STATUS_OK;
  for (uint32_t i = 0; i < dma->channels; ++i) {
    if (check_channel(dma, i) != STATUS_OK) result = STATUS_DMA_ERROR;
  }
  return result;
}

static enum status wait_for_completed(struct dma* dma, uint32_t index, uint32_t count) {
  const uint64_t completed = dma->registers + DMA_CHANNEL_COMPLETED(index);
  if (hal_poll_reached32(completed, count, dma->timeout_ns) != 0) {
    hal_log("dma: no completion on channel", index);
    return check_channel(dma, index) == STATUS_OK ? STATUS_TIMEOUT : STATUS_DMA_ERROR;
  }
  dma->channel[index].completed = hal_read32(completed);
  return STATUS_OK;
}

enum status dma_reserve(struct dma* dma, uint32_t channel, uint32_t descriptors) {
  struct dma_channel* ring = &dma->channel[channel];
  if (outstanding(ring) + descriptors <= dma->ring_entries) return STATUS_OK;
  dma_ring_doorbell(dma, channel); /* what was not announced can never complete */
  return wait_for_completed(dma, channel, ring->posted + descriptors - dma->ring_entries);
}

int dma_has_room(struct dma* dma, uint32_t channel, uint32_t descriptors) {
  struct dma_channel* ring = &dma->channel[channel];
  if (outstanding(ring) + descriptors <= dma->ring_entries) return 1;
  ring->completed = hal_read32(dma->registers + DMA_CHANNEL_COMPLETED(channel));
  return outstanding(ring) + descriptors <= dma->ring_entries;
}

static enum status post(struct dma* dma, uint32_t channel,
                        const struct dma_descriptor* descriptor) {
  const enum status status = dma_reserve(dma, channel, 1);
  if (status != STATUS_OK) return status;
  struct dma_channel* ring = &dma->channel[channel];
  hal_write_block(ring->ring + (uint64_t)ring->entry * sizeof *descriptor, descriptor,
                  sizeof *descriptor);
  ring->entry = ring->entry + 1 == dma->ring_entries ? 0 : ring->entry + 1;
  ++ring->posted;
  return STATUS_OK;
}

enum status dma_copy(struct dma* dma, uint32_t channel, uint64_t destination, uint64_t source,
                     uint64_t bytes) {
  enum status status = STATUS_OK;
  for (uint64_t done = 0; done < bytes && status == STATUS_OK;) {
    const uint64_t rest = bytes - done;
    const uint64_t length = rest < DMA_LONGEST_COPY ? rest : DMA_LONGEST_COPY;
    const struct dma_descriptor descriptor = {DMA_COPY, (uint32_t)length, source + done,
                                              destination + done, 0};
    status = post(dma, channel, &descriptor);
    done += length;
  }
  return status;
}

enum status dma_copy_control(struct dma* dma, uint32_t channel, uint64_t destination,
                             uint64_t source, uint32_t bytes) {
  if (bytes == 0) return STATUS_OK; /* the engine refuses copies of length 0 */
  const struct dma_descriptor descriptor = {DMA_COPY | DMA_CONTROL, bytes, source, destination, 0};
  return post(dma, channel, &descriptor);
}

enum status dma_copy_to_lines(struct dma* dma, uint32_t channel, uint64_t destination,
                              uint64_t source, uint64_t bytes, uint64_t flag) {
  if (bytes == 0) return STATUS_OK;
  if (bytes > LINES_OF_MESSAGE * LINE_DATA) {
    hal_log("dma: too many bytes for a message in lines", bytes);
    return STATUS_BAD_JOB;
  }
  const struct dma_descriptor descriptor = {DMA_COPY | DMA_LINES, (uint32_t)bytes, source,
                                            destination, flag};
  return post(dma, channel, &descriptor);
}

enum status dma_write(struct dma* dma, uint32_t channel, uint64_t destination, uint32_t value,
                      uint32_t flags) {
  const struct dma_descriptor descriptor = {DMA_WRITE | flags, sizeof value, value, destination, 0};
  return post(dma, channel, &descriptor);
}

enum status dma_wait(struct dma* dma, uint32_t channel, uint64_t counter, uint32_t count) {
  const struct dma_descriptor descriptor = {DMA_WAIT, sizeof count, counter, count, 0};
  return post(dma, channel, &descriptor);
}

enum status dma_reduce(struct dma* dma, uint32_t channel, uint64_t destination, uint64_t source,
                       uint64_t bytes, struct dma_reduction how) {
  const uint32_t control = DMA_REDUCE | how.dtype << DMA_DTYPE_POS | how.op << DMA_OP_POS;
  enum status status = STATUS_OK;
  for (uint64_t done = 0; done < bytes && status == STATUS_OK;) {
    const uint64_t rest = bytes - done;
    const uint64_t length = rest < DMA_LONGEST_COPY ? rest : DMA_LONGEST_COPY;
    const struct dma_descriptor descriptor = {control, (uint32_t)length, source + done,
                                              destination + done, 0};
    status = post(dma, channel, &descriptor);
    done += length;
  }
  return status;
}

enum status dma_window(struct dma* dma, uint32_t channel, uint64_t counter, uint32_t count,
                       uint32_t bytes, uint64_t unit) {
  const struct dma_descriptor descriptor = {DMA_WINDOW, bytes, counter, count, unit};
  return post(dma, channel, &descriptor);
}

void dma_ring_doorbell(struct dma* dma, uint32_t channel) {
  struct dma_channel* ring = &dma->channel[channel];
  if (ring->announced == ring->posted) return;
  hal_fence(); /* the engine must find the descriptors in memory */
  hal_write32(dma->registers + DMA_CHANNEL_DOORBELL(channel), ring->posted);
  ring->announced = ring->posted;
}

void dma_ring_doorbells(struct dma* dma) {
  for (uint32_t i = 0; i < dma->channels; ++i) dma_ring_doorbell(dma, i);
}

enum status dma_drain(struct dma* dma) {
  dma_ring_doorbells(dma);
  for (uint32_t i = 0; i < dma->channels; ++i) {
    if (outstanding(&dma->channel[i]) == 0) continue;
    const enum status status = wait_for_completed(dma, i, dma->channel[i].posted);
    if (status != STATUS_OK) return status;
  }
  return STATUS_OK;
}
