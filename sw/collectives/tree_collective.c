/* A rank's part in a collective by aggregation trees. */
#include "collectives/algorithms.h"
#include "collectives/collectives.h"
#include "collectives/communicator.h"
#include "collectives/layout.h"
#include "collectives/tree.h"
#include "drivers/aggregator.h"
#include "hal/hal.h"

/* One tree's share, as this rank pushes it. */
struct pushing {
  struct tree_share share;
  uint64_t posted; /* bytes that the DMA engine has been given */
  uint64_t batch;  /* bytes that are posted at a time: half of the window */
  uint64_t ahead;  /* bytes that may be ahead of the flag */
};

static uint64_t flag_address(const struct communicator* comm, uint32_t tree) {
  return comm->boot.flags + (FLAG_TREE + 2 * tree) * sizeof(uint32_t);
}

void tree_prepare(struct communicator* comm) {
  struct tree_view* view = &comm->tree;
  for (view->trees = 0; view->trees < TREE_MOST; ++view->trees) {
    struct tree_place* place = &view->place[view->trees];
    hal_read_block(place, comm->boot.flags + (FLAG_TREE_PLACE + 4 * view->trees) * sizeof(uint32_t),
                   sizeof *place);
    if (place->window == 0) return;
    view->flag[view->trees] = hal_read32(flag_address(comm, view->trees));
  }
}

static enum status await(const struct communicator* comm, uint32_t tree, uint32_t segments) {
  uint32_t error = 0;
  const uint32_t count = comm->tree.flag[tree] + segments;
  if (hal_poll_flag64(flag_address(comm, tree), count, comm->boot.timeout_ns, &error) != 0) {
    hal_log("tree: no results, segment expected", segments);
    const enum status status = dma_check(&comm->dma);
    return status == STATUS_OK ? STATUS_TIMEOUT : status;
  }
  if (error == 0) return STATUS_OK;
  aggregator_log_error(error);
  return STATUS_AGGREGATOR_ERROR;
}

/* Bytes [from, to) of the rank's data; each tree has a DMA channel. */
static enum status post(struct communicator* comm, const struct boot_job* job, uint32_t tree,
                        struct range part) {
  const struct tree_place* place = &comm->tree.place[tree];
  const uint32_t channel = tree % comm->dma.channels;
  const uint64_t begin = tree_share_of(job, comm->boot.ranks, comm->tree.trees, tree, 1).begin;
  const enum status status =
      dma_copy(&comm->dma, channel, place->window + part.begin,
               comm->boot.self + tree_data(job) + begin + part.begin, part.count);
  dma_ring_doorbell(&comm->dma, channel);
  return status;
}

static uint32_t segments_of(uint64_t bytes, uint32_t segment) {
  return (uint32_t)((bytes + segment - 1) / segment);
}

/* The next batch of a tree, once the flag allows it. */
static enum status push_batch(struct communicator* comm, const struct boot_job* job, uint32_t tree,
                              struct pushing* of) {
  const uint64_t rest = of->share.bytes - of->posted;
  const struct range part = {of->posted, rest < of->batch ? rest : of->batch};
  const uint64_t end = part.begin + part.count;
  enum status status = STATUS_OK;
  if (end > of->ahead) status = await(comm, tree, segments_of(end - of->ahead, of->share.segment));
  if (status == STATUS_OK) status = post(comm, job, tree, part);
  of->posted = end;
  return status;
}

/* Reductions: everything is pushed, a window ahead of the results. */
static enum status push_all(struct communicator* comm, const struct boot_job* job) {
  struct pushing pushing[TREE_MOST];
  const uint32_t trees = comm->tree.trees;
  enum status status = STATUS_OK;
  for (uint32_t tree = 0; tree < trees; ++tree) {
    struct pushing* of = &pushing[tree];
    const struct tree_place* place = &comm->tree.place[tree];
    of->share = tree_share_of(job, comm->boot.ranks, trees, tree, place->segment);
    of->posted = 0;
    of->ahead = (uint64_t)place->segments * of->share.segment;
    of->batch = (uint64_t)((place->segments + 1) / 2) * of->share.segment;
  }
  for (int is_done = 0; !is_done && status == STATUS_OK;) {
    is_done = 1;
    for (uint32_t tree = 0; tree < trees && status == STATUS_OK; ++tree) {
      if (pushing[tree].posted == pushing[tree].share.bytes) continue;
      status = push_batch(comm, job, tree, &pushing[tree]);
      is_done = 0;
    }
  }
  return status;
}

static enum status await_all(const struct communicator* comm, const struct boot_job* job) {
  enum status status = STATUS_OK;
  for (uint32_t tree = 0; tree < comm->tree.trees && status == STATUS_OK; ++tree) {
    const struct tree_share share = tree_share_of(job, comm->boot.ranks, comm->tree.trees, tree,
                                                  comm->tree.place[tree].segment);
    if (share.bytes > 0) status = await(comm, tree, segments_of(share.bytes, share.segment));
  }
  return status;
}

static enum status broadcast(struct communicator* comm, const struct boot_job* job) {
  if (comm->boot.rank != job->root) return await_all(comm, job);
  enum status status = STATUS_OK;
  for (uint32_t tree = 0; tree < comm->tree.trees && status == STATUS_OK; ++tree) {
    const struct tree_share share = tree_share_of(job, comm->boot.ranks, comm->tree.trees, tree, 1);
    const struct range whole = {0, share.bytes};
    if (share.bytes > 0) status = post(comm, job, tree, whole);
  }
  return status == STATUS_OK ? dma_drain(&comm->dma) : status;
}

/* Chunks are segments, so the flag counts those of the others. */
static enum status allgather(struct communicator* comm, const struct boot_job* job) {
  const uint32_t ranks = comm->boot.ranks;
  const struct range own = chunk_of(job->elements, ranks, comm->boot.rank);
  const struct range part = {own.begin * job->element_bytes, own.count * job->element_bytes};
  const enum status status = post(comm, job, 0, part);
  return status == STATUS_OK ? await(comm, 0, ranks - 1) : status;
}

enum status tree_collective(struct communicator* comm, const struct boot_job* job) {
  if (comm->tree.trees == 0) {
    hal_log("tree: no manager has said where to push", job->number);
    return STATUS_UNSUPPORTED;
  }
  enum status status = STATUS_OK;
  switch (job->collective) {
    case BOOT_ALLREDUCE:
    case BOOT_REDUCE:
    case BOOT_REDUCE_SCATTER:
    case BOOT_BARRIER:
      status = push_all(comm, job);
      return status == STATUS_OK ? await_all(comm, job) : status;
    case BOOT_BROADCAST:
      return broadcast(comm, job);
    case BOOT_ALLGATHER:
      return allgather(comm, job);
    default:
      return collective_unsupported(job);
  }
}
