/* A rank's part in a collective by aggregation trees. */
#include "collectives/algorithms.h"
#include "collectives/collectives.h"
#include "collectives/communicator.h"
#include "collectives/layout.h"
#include "collectives/tree.h"
#include "drivers/aggregator.h"
#include "hal/hal.h"

static uint64_t flag_address(const struct communicator* comm, uint32_t tree) {
  return comm->boot.flags + (FLAG_TREE + 2 * tree) * sizeof(uint32_t);
}

static void look_up(struct communicator* comm, uint32_t tree) {
  struct tree_place* place = &comm->tree.place[tree];
  hal_read_block(place, comm->boot.flags + (FLAG_TREE_PLACE + 4 * tree) * sizeof(uint32_t),
                 sizeof *place);
  if (place->window != 0) comm->tree.flag[tree] = hal_read32(flag_address(comm, tree));
}

void tree_prepare(struct communicator* comm) {
  struct tree_view* view = &comm->tree;
  view->trees = 0;
  do {
    look_up(comm, view->trees);
  } while (view->place[view->trees].window != 0 && ++view->trees < TREE_MOST);
  look_up(comm, TREE_SECOND_PHASE);
  look_up(comm, TREE_RAIL);
}

enum status tree_await(const struct communicator* comm, uint32_t tree, uint32_t segments) {
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

void tree_begin(const struct communicator* comm, uint32_t tree, struct tree_share share,
                struct tree_pushing* pushing) {
  const struct tree_place* place = &comm->tree.place[tree];
  pushing->share = share;
  pushing->posted = 0;
  const uint32_t segments = tree_window_segments(place->bytes, &share);
  pushing->ahead = (uint64_t)segments * share.segment;
  pushing->batch = (uint64_t)((segments + 1) / 2) * share.segment;
}

enum status tree_post(struct communicator* comm, const struct boot_job* job, uint32_t tree,
                      const struct tree_share* share, uint64_t begin, uint64_t count) {
  const uint32_t channel = tree % comm->dma.channels;
  const enum status status =
      dma_copy(&comm->dma, channel, comm->tree.place[tree].window + begin,
               comm->boot.self + tree_data(job) + share->begin + begin, count);
  dma_ring_doorbell(&comm->dma, channel);
  return status;
}

uint32_t tree_segments(const struct tree_share* share, uint64_t bytes) {
  return (uint32_t)((bytes + share->segment - 1) / share->segment);
}

enum status tree_push_batch(struct communicator* comm, const struct boot_job* job, uint32_t tree,
                            struct tree_pushing* pushing) {
  const struct tree_share* share = &pushing->share;
  const uint64_t rest = share->bytes - pushing->posted;
  const uint64_t count = rest < pushing->batch ? rest : pushing->batch;
  const uint64_t end = pushing->posted + count;
  enum status status = STATUS_OK;
  if (end > pushing->ahead)
    status = tree_await(comm, tree, tree_segments(share, end - pushing->ahead));
  if (status == STATUS_OK) status = tree_post(comm, job, tree, share, pushing->posted, count);
  pushing->posted = end;
  return status;
}

static struct tree_share share_of(const struct communicator* comm, const struct boot_job* job,
                                  uint32_t tree) {
  return tree_share_of(job, comm->boot.ranks, comm->tree.trees, tree,
                       comm->tree.place[tree].segment);
}

/* In a chain the DMA engine keeps to the window by itself: it watches the flag of the tree, which
 * has a channel of its own. */
static enum status push_by_engine(struct communicator* comm, const struct boot_job* job) {
  enum status status = STATUS_OK;
  for (uint32_t tree = 0; tree < comm->tree.trees && status == STATUS_OK; ++tree) {
    const struct tree_share share = share_of(comm, job, tree);
    if (share.bytes == 0) continue;
    const uint32_t segments = tree_window_segments(comm->tree.place[tree].bytes, &share);
    status = dma_window(&comm->dma, tree, flag_address(comm, tree), comm->tree.flag[tree],
                        segments * share.segment, share.segment);
    if (status == STATUS_OK) status = tree_post(comm, job, tree, &share, 0, share.bytes);
    if (status == STATUS_OK) status = dma_window(&comm->dma, tree, 0, 0, 0, 0);
    dma_ring_doorbell(&comm->dma, tree);
  }
  return status;
}

/* Reductions: everything is pushed, a window ahead of the results. */
static enum status push_all(struct communicator* comm, const struct boot_job* job) {
  struct tree_pushing pushing[TREE_MOST];
  const uint32_t trees = comm->tree.trees;
  const int is_chained = (job->flags & BOOT_JOB_CHAINED) != 0;
  enum status status = STATUS_OK;
  if (is_chained && trees <= comm->dma.channels) return push_by_engine(comm, job);
  for (uint32_t tree = 0; tree < trees; ++tree) {
    tree_begin(comm, tree, share_of(comm, job, tree), &pushing[tree]);
  }
  for (int is_done = 0; !is_done && status == STATUS_OK;) {
    is_done = 1;
    for (uint32_t tree = 0; tree < trees && status == STATUS_OK; ++tree) {
      if (pushing[tree].posted == pushing[tree].share.bytes) continue;
      status = tree_push_batch(comm, job, tree, &pushing[tree]);
      is_done = 0;
    }
  }
  return status;
}

static enum status await_all(const struct communicator* comm, const struct boot_job* job) {
  enum status status = STATUS_OK;
  for (uint32_t tree = 0; tree < comm->tree.trees && status == STATUS_OK; ++tree) {
    const struct tree_share share = share_of(comm, job, tree);
    if (share.bytes > 0) status = tree_await(comm, tree, tree_segments(&share, share.bytes));
  }
  return status;
}

static enum status broadcast(struct communicator* comm, const struct boot_job* job) {
  if (comm->boot.rank != job->root) return await_all(comm, job);
  enum status status = STATUS_OK;
  for (uint32_t tree = 0; tree < comm->tree.trees && status == STATUS_OK; ++tree) {
    const struct tree_share share = share_of(comm, job, tree);
    if (share.bytes > 0) status = tree_post(comm, job, tree, &share, 0, share.bytes);
  }
  return status == STATUS_OK ? dma_drain(&comm->dma) : status;
}

/* Chunks are segments, so the flag counts those of the others. */
static enum status allgather(struct communicator* comm, const struct boot_job* job) {
  const uint32_t ranks = comm->boot.ranks;
  const struct range own = chunk_of(job->elements, ranks, comm->boot.rank);
  const struct tree_share share = share_of(comm, job, 0);
  const enum status status = tree_post(comm, job, 0, &share, own.begin * job->element_bytes,
                                       own.count * job->element_bytes);
  return status == STATUS_OK ? tree_await(comm, 0, ranks - 1) : status;
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
