/* Collectives on a mesh of tiles: by the routers (hw), or by copies between tiles that hardware
 * barriers keep in step. All ranks run the same jobs in the same order; rank r is the tile in
 * column r mod columns of row r / columns. The root of a reduction, and of a broadcast by the
 * routers, is job->root; software broadcasts from rank 0. Where a job is one of rows or columns,
 * each of these lines has a collective of its own at the same time, and ranks, roots and chunks are
 * those of a line.
 *
 * A job is: mesh_prepare(), then the start mark, mesh_collective(), the end mark, mesh_release().
 * A rank's end mark says that its engine has handed over what it sends, as the source's benchmarks
 * stop their clocks; the rank may use what others sent it after the release, which waits for the
 * answers to its own transfers and is a barrier.
 */
#ifndef HEDDLE_COLLECTIVES_MESH_H
#define HEDDLE_COLLECTIVES_MESH_H

#include <stdint.h>

#include "collectives/algorithms.h"
#include "drivers/mesh_dma.h"
#include "drivers/status.h"
#include "drivers/vector.h"
#include "hal/boot.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The tiles of a collective, and where in them this rank is. */
struct mesh_shape {
  uint64_t base;   /* window of the first */
  uint64_t memory; /* memory tile of row 0; 0: there is none */
  uint32_t columns, rows;
  uint32_t x, y;
};

struct mesh {
  struct boot_block boot; /* rank and ranks are those of a line while there are lines */
  struct boot_mesh grid;
  uint64_t registers; /* of the network interface */
  struct mesh_dma dma;
  struct vector vector;
  uint64_t base;      /* window of rank 0, of the line */
  uint64_t alias;     /* added to an address: the access is part of a collective */
  uint64_t tile_size; /* from one rank's window to the next */
  uint32_t columns, rows;
  uint32_t x, y;           /* of this rank */
  int has_masks;           /* both sides of the mesh are powers of two: masks can name tiles */
  uint32_t pitch;          /* tiles from a row of the mesh to the next */
  uint32_t lines;          /* enum boot_lines: what the collectives take for the mesh */
  struct mesh_shape whole; /* the mesh, while that is not all of it */
  uint32_t barriers[BOOT_COLUMNS + 1]; /* in software, by enum boot_lines */
  enum status barrier_status;          /* STATUS_TIMEOUT once a rank did not come to one */
};

enum status mesh_open(struct mesh* mesh);

/* From here on the collectives take a line for the mesh, and then again the mesh. */
enum status mesh_enter_lines(struct mesh* mesh, uint32_t lines);
void mesh_leave_lines(struct mesh* mesh);

/* Window of the rank in that column and row. */
uint64_t mesh_tile(const struct mesh* mesh, uint32_t x, uint32_t y);
/* Mask that names all ranks. */
uint64_t mesh_everybody(const struct mesh* mesh);

/* Copies and waits until the copy is there. */
enum status mesh_copy(struct mesh* mesh, uint64_t destination, uint64_t source, uint64_t bytes);
/* Copies and waits until the last beat has left the engine. That suffices before mesh_next_step(),
 * as in the source's runtime (snrt_dma_wait_all of pulp-platform/snitch_cluster): a barrier passes
 * rank 0, no sooner than the beat, which goes straight to its destination. Not where transfers
 * share links with others. */
enum status mesh_hand_over(struct mesh* mesh, uint64_t destination, uint64_t source,
                           uint64_t bytes);

/* All ranks write to one word; LsbAnd merges the writes, and the answer comes when all have. Where
 * masks cannot name the ranks it is the software barrier. */
void mesh_barrier(struct mesh* mesh);
/* The same between two steps of a collective, and what the loop around them takes. */
void mesh_next_step(struct mesh* mesh);
/* A counter in rank 0, which polls it and interrupts all, by a multicast or one after the other.
 * Where somebody does not come, it interrupts nobody, and its job ends with STATUS_TIMEOUT. */
void mesh_software_barrier(struct mesh* mesh);

enum status mesh_prepare(struct mesh* mesh, const struct boot_job* job);
enum status mesh_collective(struct mesh* mesh, const struct boot_job* job);
enum status mesh_release(struct mesh* mesh, const struct boot_job* job);
/* All of it, with the marks. */
enum status mesh_run_job(struct mesh* mesh, const struct boot_job* job, uint32_t number);

/* Whether what is passed on comes from the memory tile of row 0: in a broadcast, where there is
 * one, and mesh_prepare() has put the root's data there. */
int mesh_has_source(const struct mesh* mesh, const struct boot_job* job);
/* Where it comes from: there, or at the root. */
uint64_t mesh_source(const struct mesh* mesh, const struct boot_job* job);

/* Each leaves the data of the root at all ranks. */
enum status mesh_broadcast(struct mesh* mesh, const struct boot_job* job);
/* By the routers: mesh_prepare() has set the transfer, so that a job starts with it. */
void mesh_set_broadcast(struct mesh* mesh, const struct boot_job* job);
enum status mesh_broadcast_hw(struct mesh* mesh, const struct boot_job* job);
/* In row 0 every tile fetches from its neighbor to the left, then in all columns from the one
 * below, in batches of slot_bytes; each transfer waits for the one before (naive: one batch). */
enum status mesh_broadcast_seq(struct mesh* mesh, const struct boot_job* job, uint64_t batch);
/* Over half the row, a quarter, ...; then over the columns. A line that is no power of two begins
 * with the largest one below its length. */
enum status mesh_broadcast_tree(struct mesh* mesh, const struct boot_job* job);

/* Each leaves the sum at the root; at the others, tree and seq leave partial sums. */
enum status mesh_reduce(struct mesh* mesh, const struct boot_job* job);
void mesh_set_reduce(struct mesh* mesh, const struct boot_job* job);
enum status mesh_reduce_hw(struct mesh* mesh, const struct boot_job* job);
/* By pairs at the distances 1, 2, ..., batches of slot_bytes sent while others are added (naive:
 * one batch). */
enum status mesh_reduce_tree(struct mesh* mesh, const struct boot_job* job);
/* From the last place of each row to its first, then along the root's column, in batches of
 * slot_bytes. For rank 0 these are the far end and column 0. For another root the place of a tile,
 * here and in the tree, is the XOR of its coordinates and the root's, so that pairs are as far
 * apart; in a line that is no power of two, how far behind the root it is, around the end. */
enum status mesh_reduce_seq(struct mesh* mesh, const struct boot_job* job);

/* Leaves the sum at all ranks: a reduction to the root, which passes it on as a broadcast does. */
enum status mesh_allreduce(struct mesh* mesh, const struct boot_job* job);

/* Leaves the sum of chunk r at rank r, by reductions in columns and then in rows (hw), by copies of
 * all chunks to their ranks (naive), or by halves, quarters, ... of the data (tree). */
enum status mesh_reduce_scatter(struct mesh* mesh, const struct boot_job* job);
/* Leaves chunk r of rank r at all ranks: multicasts of all at a time, copies, or by doubles. */
enum status mesh_allgather(struct mesh* mesh, const struct boot_job* job);

/* What routers do with the job's type and operator, which its descriptor has checked. */
enum mesh_dma_op mesh_operation_of(const struct boot_job* job);

/* Logs that the job's algorithm does not do its collective. */
enum status mesh_unsupported(const struct boot_job* job);

/* Chunk c of the rank's data goes to rank c, one transfer after the other. */
enum status mesh_alltoall(struct mesh* mesh, const struct boot_job* job);

#ifdef __cplusplus
}
#endif

#endif
