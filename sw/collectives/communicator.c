#include "collectives/communicator.h"

#include "collectives/peer.h"
#include "drivers/boot_block.h"
#include "hal/hal.h"
#include "regs/multimem_regs.h"

static enum status check_flag_area(const struct boot_block* boot) {
  if (boot->flag_bytes < flag_area_bytes(boot->ranks)) {
    hal_log("boot: flag area is too small, need bytes", flag_area_bytes(boot->ranks));
    return STATUS_BAD_BOOT;
  }
  return STATUS_OK;
}

enum status communicator_open(struct communicator* comm) {
  const struct communicator fresh = {0};
  *comm = fresh;
  struct boot_block* boot = &comm->boot;
  enum status status = boot_open(boot);
  if (status == STATUS_OK) status = check_flag_area(boot);
  if (status != STATUS_OK) return status;
  comm->how = DMA_FENCE;
  comm->next = communicator_peer(comm, (boot->rank + 1) % boot->ranks);
  comm->previous = communicator_peer(comm, (boot->rank + boot->ranks - 1) % boot->ranks);
  vector_open(&comm->vector, boot);
  status = scin_open(&comm->scin, boot, boot->rank == 0);
  if (status != STATUS_OK) return status;
  if (hal_device_count(MULTIMEM_BLOCK_ID) > 0) multimem_open(&comm->multimem, boot);
  return dma_open(&comm->dma, boot);
}

uint64_t communicator_peer(const struct communicator* comm, uint32_t rank) {
  return peer_window(&comm->boot, rank);
}

uint64_t communicator_counter(const struct communicator* comm, uint64_t base, uint32_t index) {
  const uint64_t area = comm->boot.flags - comm->boot.self; /* the same in every window */
  return base + area + index * sizeof(uint32_t);
}

enum status communicator_post(struct communicator* comm, uint32_t channel,
                              const struct message* message) {
  const enum status status =
      dma_copy(&comm->dma, channel, message->destination, message->source, message->bytes);
  if (status != STATUS_OK) return status;
  return dma_write(&comm->dma, channel, message->counter, message->count, comm->how);
}

enum status communicator_send(struct communicator* comm, uint32_t channel,
                              const struct message* message) {
  const enum status status = communicator_post(comm, channel, message);
  dma_ring_doorbell(&comm->dma, channel);
  return status;
}

enum status communicator_await(const struct communicator* comm, uint32_t index, uint32_t count) {
  const uint64_t counter = communicator_counter(comm, comm->boot.self, index);
  if (hal_poll_reached32(counter, count, comm->boot.timeout_ns) == 0) return STATUS_OK;
  hal_log("no message: flag", index);
  hal_log("no message: count expected", count);
  const enum status status = dma_check(&comm->dma);
  return status == STATUS_OK ? STATUS_TIMEOUT : status;
}
