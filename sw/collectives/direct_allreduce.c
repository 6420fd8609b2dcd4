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
  const uint64_t at = job->data + range.begin * job->element_bytes;
  const struct transfer result = {
      .from = at,
      .to = is_result ? at : region(comm, job, ranks - distance - 1),
      .bytes = range.count * job->element_bytes,
  };
  return result;
}

/* So much is under way on a channel before it waits at a fence: the other channels keep the wire
 * busy meanwhile. */
#define BATCH_BYTES UINT64_C(32768)

/* Peers whose counters wait at the same fences: all of them, unless there is so much for each that
 * the fences cost nothing; then as many as make up that much on every channel. */
static uint32_t peers_of_batch(const struct communicator* comm, const struct boot_job* job) {
  const uint32_t peers = comm->boot.ranks - 1;
  const uint64_t chunk = receive_region_bytes(job, comm->boot.ranks);
  const uint64_t rounds = chunk == 0 ? peers : (BATCH_BYTES + chunk - 1) / chunk;
  const uint64_t batch = rounds * comm->dma.channels;
  return batch < peers ? (uint32_t)batch : peers;
}

/* How far ahead is the peer that is served as number `i`, counted from 1? Peers start with a
 * neighbor: none is everybody's first. With several batches a rank begins with the one behind it,
 * because owners fold the contribution of the one ahead of them first: so they fold while more
 * comes in. */
static uint32_t distance_of(const struct communicator* comm, uint32_t i, int is_batched) {
  return is_batched ? comm->boot.ranks - i : i;
}

/* First all copies, then all counters, and a fence before the first counter of each channel only:
 * it holds back the later ones too, because a channel starts its descriptors in order. So a fence
 * waits once a channel, not once a peer. Counters that are ordered behind their data need none. */
static enum status send_batch(struct communicator* comm, const struct boot_job* job, int is_result,
                              uint32_t first, uint32_t last, int is_batched) {
  const uint32_t flag = FLAG_DIRECT + (is_result ? comm->boot.ranks : 0);
  enum status status = STATUS_OK;
  for (uint32_t i = first; i <= last && status == STATUS_OK; ++i) {
    const uint32_t distance = distance_of(comm, i, is_batched);
    const struct transfer transfer = transfer_to(comm, job, distance, is_result);
    const uint64_t peer = communicator_peer(comm, rank_ahead(comm, distance));
    status = dma_copy(&comm->dma, channel_of(comm, distance), peer + transfer.to,
                      comm->boot.self + transfer.from, transfer.bytes);
    dma_ring_doorbell(&comm->dma, channel_of(comm, distance));
  }
  for (uint32_t i = first; i <= last && status == STATUS_OK; ++i) {
    const uint32_t distance = distance_of(comm, i, is_batched);
    const uint64_t peer = communicator_peer(comm, rank_ahead(comm, distance));
    status = dma_write(&comm->dma, channel_of(comm, distance),
                       communicator_counter(comm, peer, flag + comm->boot.rank), comm->direct_jobs,
                       comm->how != DMA_FENCE || i - first < comm->dma.channels ? comm->how : 0);
  }
  dma_ring_doorbells(&comm->dma);
  return status;
}

static enum status send_to_all(struct communicator* comm, const struct boot_job* job,
                               int is_result) {
  const uint32_t peers = comm->boot.ranks - 1;
  const uint32_t batch = peers_of_batch(comm, job);
  enum status status = STATUS_OK;
  for (uint32_t first = 1; first <= peers && status == STATUS_OK; first += batch) {
    const uint32_t left = peers - first + 1;
    status = send_batch(comm, job, is_result, first, first + (left < batch ? left : batch) - 1,
                        batch < peers);
  }
  return status;
}

static enum status fold_own_chunk(struct communicator* comm, const struct boot_job* job) {
  const struct range own = chunk_of(job->elements, comm->boot.ranks, comm->boot.rank);
  const uint64_t at = comm->boot.self + job->data + own.begin * job->element_bytes;
  for (uint32_t i = 1; i < comm->boot.ranks; ++i) {
    enum status status =
        communicator_await(comm, FLAG_DIRECT + rank_ahead(comm, i), comm->direct_jobs);
    if (status != STATUS_OK) return status;
    status = vector_reduce(&comm->vector, at, comm->boot.self + region(comm, job, i - 1), own.count,
                           job->element_bytes);
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
  ++comm->direct_jobs;
  enum status status = vector_set_operation(&comm->vector, job->dtype, job->op);
  if (status == STATUS_OK) status = send_to_all(comm, job, 0);
  if (status == STATUS_OK) status = fold_own_chunk(comm, job);
  if (status == STATUS_OK) status = send_to_all(comm, job, 1);
  if (status == STATUS_OK) status = await_results(comm);
  return status;
}
