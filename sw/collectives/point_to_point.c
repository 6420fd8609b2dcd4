#include "collectives/algorithms.h"
#include "collectives/collectives.h"

/* The data, to the same place at the peer. */
static struct message whole_data(const struct communicator* comm, const struct boot_job* job,
                                 uint64_t peer, uint32_t count) {
  const struct message message = {
      .destination = peer + job->data,
      .source = comm->boot.self + job->data,
      .bytes = job->elements * job->element_bytes,
      .counter = communicator_counter(comm, peer, FLAG_POINT_TO_POINT),
      .count = count,
  };
  return message;
}

static int takes_part(const struct communicator* comm) {
  return comm->boot.ranks >= 2 && comm->boot.rank < 2;
}

enum status point_to_point_latency(struct communicator* comm, const struct boot_job* job) {
  if (!takes_part(comm)) return STATUS_OK;
  const uint32_t rank = comm->boot.rank;
  const uint64_t peer = communicator_peer(comm, 1 - rank);
  for (uint32_t i = 0; i < job->iterations; ++i) {
    const uint32_t count = ++comm->point_to_point_messages;
    const struct message message = whole_data(comm, job, peer, count);
    enum status status = STATUS_OK;
    if (rank == 1) status = communicator_await(comm, FLAG_POINT_TO_POINT, count);
    if (status == STATUS_OK) status = communicator_send(comm, 0, &message);
    if (status == STATUS_OK && rank == 0) {
      status = communicator_await(comm, FLAG_POINT_TO_POINT, count);
    }
    if (status != STATUS_OK) return status;
  }
  return STATUS_OK;
}

static enum status send_all(struct communicator* comm, const struct boot_job* job, uint64_t peer,
                            uint32_t count) {
  const struct message last = whole_data(comm, job, peer, count);
  enum status status = STATUS_OK;
  for (uint32_t i = 1; i < job->iterations && status == STATUS_OK; ++i) {
    status = dma_copy(&comm->dma, 0, last.destination, last.source, last.bytes);
    dma_ring_doorbell(&comm->dma, 0);
  }
  return status == STATUS_OK ? communicator_send(comm, 0, &last) : status;
}

enum status point_to_point_bandwidth(struct communicator* comm, const struct boot_job* job) {
  if (!takes_part(comm) || job->iterations == 0) return STATUS_OK;
  const uint32_t count = ++comm->point_to_point_messages;
  if (comm->boot.rank == 1) return communicator_await(comm, FLAG_POINT_TO_POINT, count);
  return send_all(comm, job, communicator_peer(comm, 1), count);
}

enum status point_to_point(struct communicator* comm, const struct boot_job* job) {
  switch (job->collective) {
    case BOOT_P2P_LATENCY:
      return point_to_point_latency(comm, job);
    case BOOT_P2P_BANDWIDTH:
      return point_to_point_bandwidth(comm, job);
    default:
      return collective_unsupported(job);
  }
}
