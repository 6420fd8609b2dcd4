/* Collectives by trees of aggregators in switches. Every rank pushes its vector once into the
 * window of the first switch; the trees reduce it and bring the results, and behind them a flag
 * that counts finished segments. A rank is never more than a window of segments ahead of its flag:
 * its core posts a batch after the other, or with BOOT_JOB_CHAINED the DMA engine waits
 * (DMA_WINDOW).
 *
 * A manager (tree_manager.h) has programmed the switches ahead of the job, and has written into the
 * memory of each rank where it pushes.
 */
#ifndef HEDDLE_TREE_H
#define HEDDLE_TREE_H

#include <stdint.h>

#include "drivers/status.h"
#include "hal/boot.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TREE_MOST 6                       /* trees that share the data of a job */
#define TREE_SECOND_PHASE TREE_MOST       /* multicasts what the first one has reduced */
#define TREE_RAIL (TREE_SECOND_PHASE + 1) /* over one rank of every pod (nvls_tree_allreduce.c) */
#define TREE_SLOTS (TREE_RAIL + 1)

/* Where a rank pushes for a tree; all 0: there is no such tree. */
struct tree_place {
  uint64_t window;  /* address of the group in the first switch */
  uint32_t segment; /* the longest */
  uint32_t bytes;   /* of the window */
};

/* The part of a job's data that goes through a tree: an offset from job->data, or for a barrier
 * from job->scratch. */
struct tree_share {
  uint64_t begin;
  uint64_t bytes;
  uint32_t segment;
};

/* What a rank knows before a job starts. */
struct tree_view {
  uint32_t trees;
  struct tree_place place[TREE_SLOTS];
  uint32_t flag[TREE_SLOTS]; /* its count before the job */
};

/* `segment`: of the tree's place; long shares take it, short ones less, so that their first bytes
 * are on their way down early. Trees share the data by 128 B, those that are cut by ranks go
 * through the first one alone. */
struct tree_share tree_share_of(const struct boot_job* job, uint32_t ranks, uint32_t trees,
                                uint32_t tree, uint32_t segment);
uint32_t tree_window_segments(uint32_t window_bytes, const struct tree_share* share);

/* Offset, in each rank's memory, of what tree_share_of counts from. */
uint64_t tree_data(const struct boot_job* job);

/* Looks up the places and flags: before the job's start mark. */
struct communicator;
void tree_prepare(struct communicator* comm);
enum status tree_await(const struct communicator* comm, uint32_t tree, uint32_t segments);

/* One tree's share of a job, as a rank pushes it. */
struct tree_pushing {
  struct tree_share share;
  uint64_t posted; /* bytes that the DMA engine has been given */
  uint64_t batch;  /* bytes that are posted at a time: half of the window */
  uint64_t ahead;  /* bytes that may be ahead of the flag */
};
void tree_begin(const struct communicator* comm, uint32_t tree, struct tree_share share,
                struct tree_pushing* pushing);
/* Bytes [begin, begin + count) of the share; each tree has a DMA channel. */
enum status tree_post(struct communicator* comm, const struct boot_job* job, uint32_t tree,
                      const struct tree_share* share, uint64_t begin, uint64_t count);
/* Posts the next batch of a tree, once the flag allows it. */
enum status tree_push_batch(struct communicator* comm, const struct boot_job* job, uint32_t tree,
                            struct tree_pushing* pushing);
uint32_t tree_segments(const struct tree_share* share, uint64_t bytes);

/* All-to-all by the switch: before the start mark the rank copies its operands into a send buffer,
 * in its scratch memory, and writes the table of chunks in front of it. */
enum status scatter_gather_prepare(struct communicator* comm, const struct boot_job* job);

#ifdef __cplusplus
}
#endif

#endif
