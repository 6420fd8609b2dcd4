#include "collectives/algorithms.h"
#include "collectives/collectives.h"

/* The largest receive region is that of a longest chunk; one a peer, in the order of folding: the
 * contribution of rank owner + 1 + i lies in region i. */
static uint64_t region(const struct communicator* comm, const struct boot_job* job,
                       uint32_t index) {
  return job->scratch + index * receive_region_bytes(job, comm->boot.ranks);
}

static uint32_t rank_ahead(const struct communicator* comm, uint32_t distance) {
  return (comm->boot.rank + distance) % comm->boot.ranks;
}

static uint32_t channel_of(const struct communicator* comm, uint32_t distance) {
  return distance % comm->dma.channels;
}

struct transfer {
  uint64_t from; /* offsets from the base of a window */
  uint64_t to;
  uint64_t bytes;
};

/* What goes to the rank `distance` ahead: in the first phase its chunk, into our region there; in
 * the second our chunk, in place. An owner's result overwrites data that its receiver has sent: it
 * has been received here, or there would be no result. */
static struct transfer transfer_to(const struct communicator* comm, const struct boot_job* job,
                                   uint32_t distance, int is_result) {
  const uint32_t ranks = comm->boot.ranks;
  const uint32_t chunk = is_result ? comm->boot.rank : rank_ahead(comm, distance);
  const struct range range = chunk_of(job->elements, ranks, chunk);
  const uint64_t place = job->data + range.begin * job->element_bytes;
  const struct transfer result = {
      .from = place,
      .to = is_result ? place : region(comm, job, ranks - distance - 1),
      .bytes = range.count * job->element_bytes,
  };
  return result;
}

/* First all copies, then all counters, and a fence before the first counter of each channel only:
 * it holds back the later ones too, because a channel starts its descriptors in order. So a fence
 * waits once a channel, not once a peer. Peers start with their neighbor: none is everybody's
 * first. */
static enum status send_to_all(struct communicator* comm, const struct boot_job* job, int is_result,
                               uint32_t flag) {
  const uint32_t ranks = comm->boot.ranks;
  enum status status = STATUS_OK;
  for (uint32_t i = 1; i < ranks && status == STATUS_OK; ++i) {
    const struct transfer transfer = transfer_to(comm, job, i, is_result);
    const uint64_t peer = communicator_peer(comm, rank_ahead(comm, i));
    status = dma_copy(&comm->dma, channel_of(comm, i), peer + transfer.to,
                      comm->boot.self + transfer.from, transfer.bytes);
    dma_ring_doorbell(&comm->dma, channel_of(comm, i));
  }
  for (uint32_t i = 1; i < ranks && status == STATUS_OK; ++i) {
    const uint64_t peer = communicator_peer(comm, rank_ahead(comm, i));
    status = dma_write(&comm->dma, channel_of(comm, i),
                       communicator_counter(comm, peer, flag + comm->boot.rank), comm->direct_jobs,
                       i <= comm->dma.channels ? DMA_FENCE : 0);
  }
  dma_ring_doorbells(&comm->dma);
  return status;
}

static enum status fold_own_chunk(struct communicator* comm, const struct boot_job* job) {
  const struct range own = chunk_of(job->elements, comm->boot.ranks, comm->boot.rank);
  const uint64_t place = comm->boot.self + job->data + own.begin * job->element_bytes;
  for (uint32_t i = 1; i < comm->boot.ranks; ++i) {
    enum status status =
        communicator_await(comm, FLAG_DIRECT + rank_ahead(comm, i), comm->direct_jobs);
    if (status != STATUS_OK) return status;
    status = vector_reduce(&comm->vector, place, comm->boot.self + region(comm, job, i - 1),
                           own.count, job->element_bytes);
    if (status != STATUS_OK) return status;
  }
  return STATUS_OK;
}

static enum status await_results(const struct communicator* comm) {
  const uint32_t ranks = comm->boot.ranks;
  for (uint32_t i = 1; i < ranks; ++i) {
    const enum status status =
        communicator_await(comm, FLAG_DIRECT + ranks + rank_ahead(comm, i), comm->direct_jobs);
    if (status != STATUS_OK) return status;
  }
  return STATUS_OK;
}

enum status direct_allreduce(struct communicator* comm, const struct boot_job* job) {
  if (job->collective != BOOT_ALLREDUCE) return collective_unsupported(job);
  ++comm->direct_jobs;
  enum status status = vector_set_operation(&comm->vector, job->dtype, job->op);
  if (status == STATUS_OK) status = send_to_all(comm, job, 0, FLAG_DIRECT);
  if (status == STATUS_OK) status = fold_own_chunk(comm, job);
  if (status == STATUS_OK) status = send_to_all(comm, job, 1, FLAG_DIRECT + comm->boot.ranks);
  if (status == STATUS_OK) status = await_results(comm);
  return status;
}
