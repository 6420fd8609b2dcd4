#include "collectives/collectives.h"
#include "collectives/ring.h"
#include "hal/hal.h"

/* A piece goes on as soon as it has arrived. It lands at its final place, which nobody reads
 * before, so there are no slots and no credits. */
static enum status pass_on(struct communicator* comm, const struct boot_job* job, uint64_t pieces,
                           uint64_t piece_elements) {
  const uint32_t ranks = comm->boot.ranks;
  const uint32_t position = (comm->boot.rank + ranks - job->root) % ranks;
  const struct range whole = {0, job->elements};
  enum status status = STATUS_OK;
  for (uint64_t i = 0; i < pieces && status == STATUS_OK; ++i) {
    const uint32_t channel = (uint32_t)(i % comm->dma.channels);
    const struct range piece = piece_of(whole, piece_elements, i);
    const uint64_t at = job->data + piece.begin * job->element_bytes;
    if (position > 0) status = ring_await(comm, channel);
    if (position + 1 == ranks || status != STATUS_OK) continue;
    status = ring_post(comm, channel, at, at, piece.count * job->element_bytes);
    dma_ring_doorbell(&comm->dma, channel);
  }
  return status;
}

enum status ring_broadcast(struct communicator* comm, const struct boot_job* job) {
  const uint64_t piece_elements = ring_piece_elements(job);
  if (job->root >= comm->boot.ranks) {
    hal_log("broadcast: no such root", job->root);
    return STATUS_BAD_JOB;
  }
  if (piece_elements == 0) {
    hal_log("broadcast: no element fits into a slot of bytes", job->slot_bytes);
    return STATUS_BAD_JOB;
  }
  return pass_on(comm, job, (job->elements + piece_elements - 1) / piece_elements, piece_elements);
}
