/* All-to-all in one submission: a table of chunks and the buffer behind it, which the switch sends
 * on chunk by chunk. Every rank begins behind its own chunk, so that at any time each pushes for
 * another one, and what a switch has to send out by a port comes by one port at a time.
 */
#include "collectives/algorithms.h"
#include "collectives/collectives.h"
#include "collectives/communicator.h"
#include "drivers/exchange.h"
#include "hal/hal.h"

static uint64_t chunk_bytes(const struct communicator* comm, const struct boot_job* job) {
  return job->elements / comm->boot.ranks * job->element_bytes;
}

static uint64_t table_address(const struct communicator* comm, const struct boot_job* job) {
  return comm->boot.self + job->scratch;
}

enum status scatter_gather_prepare(struct communicator* comm, const struct boot_job* job) {
  const uint32_t ranks = comm->boot.ranks, own = comm->boot.rank;
  const uint64_t bytes = chunk_bytes(comm, job);
  const uint64_t table = table_address(comm, job);
  if (job->collective != BOOT_ALLTOALL) return collective_unsupported(job);
  tree_prepare(comm);
  const struct exchange_head head = {ranks - 1, {0, 0, 0}};
  hal_write_block(table, &head, sizeof head);
  for (uint32_t i = 1; i < ranks; ++i) {
    const uint32_t to = (own + i) % ranks;
    const struct exchange_entry entry = {to, (uint32_t)(to * bytes), (uint32_t)bytes,
                                         (uint32_t)(own * bytes)};
    hal_write_block(table + sizeof head + (i - 1) * sizeof entry, &entry, sizeof entry);
  }
  const enum status status = dma_copy(&comm->dma, 0, table + EXCHANGE_TABLE_BYTES,
                                      comm->boot.self + job->data, bytes * ranks);
  return status == STATUS_OK ? dma_drain(&comm->dma) : status;
}

enum status scatter_gather_alltoall(struct communicator* comm, const struct boot_job* job) {
  const uint32_t ranks = comm->boot.ranks, own = comm->boot.rank;
  const uint64_t bytes = chunk_bytes(comm, job);
  const uint64_t table = table_address(comm, job), buffer = table + EXCHANGE_TABLE_BYTES;
  if (comm->tree.trees == 0) {
    hal_log("scatter_gather: no manager has said where to push", job->number);
    return STATUS_UNSUPPORTED;
  }
  const uint64_t window = comm->tree.place[0].window;
  const uint64_t behind = (own + 1) * bytes;
  enum status status = dma_copy_control(
      &comm->dma, 0, window, table,
      (uint32_t)(sizeof(struct exchange_head) + (ranks - 1) * sizeof(struct exchange_entry)));
  if (status == STATUS_OK)
    status = dma_copy(&comm->dma, 0, window + EXCHANGE_TABLE_BYTES + behind, buffer + behind,
                      ranks * bytes - behind);
  if (status == STATUS_OK)
    status = dma_copy(&comm->dma, 0, window + EXCHANGE_TABLE_BYTES, buffer, own * bytes);
  dma_ring_doorbell(&comm->dma, 0);
  return status == STATUS_OK ? tree_await(comm, 0, ranks - 1) : status;
}
