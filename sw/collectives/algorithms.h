/* The algorithms, a line each: name, number in boot_job.algorithm, function that does it. The
 * platform chooses (its descriptors are in models/workloads/collective/algorithms) and writes the
 * number into the job; run_collective.c calls the function. On a mesh of tiles mesh.c takes the
 * place of the function, because the steps of a collective are put together there.
 */
#ifndef HEDDLE_COLLECTIVES_ALGORITHMS_H
#define HEDDLE_COLLECTIVES_ALGORITHMS_H

#include "drivers/status.h"
#include "hal/boot.h"

#define COLLECTIVE_ALGORITHMS(ALGORITHM)                         \
  ALGORITHM(RING, 0, ring_collective)                            \
  ALGORITHM(DIRECT, 1, direct_collective)                        \
  ALGORITHM(HALVING_DOUBLING, 2, halving_doubling)               \
  ALGORITHM(NVLS, 3, nvls_collective)                            \
  ALGORITHM(SCIN, 4, scin_run)     /* in-switch accelerators */  \
  ALGORITHM(SCIN_INQ, 5, scin_run) /* with quantized operands */ \
  ALGORITHM(DISSEMINATION, 11, dissemination_barrier)            \
  ALGORITHM(WRITE, 12, point_to_point)                           \
  ALGORITHM(RECURSIVE_DOUBLING, 13, recursive_doubling)          \
  ALGORITHM(DOUBLE_TREE, 14, double_tree)                        \
  ALGORITHM(PAIRWISE, 15, pairwise_alltoall)                     \
  ALGORITHM(TORUS, 16, torus_collective)                         \
  ALGORITHM(SCATTER_GATHER, 21, scatter_gather_alltoall)         \
  ALGORITHM(TREE_TWO_PHASE, 22, tree_two_phase_allreduce)        \
  ALGORITHM(NVLS_TREE, 23, nvls_tree_allreduce)                  \
  ALGORITHM(TREE, 20, tree_collective) /* aggregators in switches */

/* Rank r is the tile in column r mod columns of row r / columns. */
#define MESH_ALGORITHMS(ALGORITHM)                                  \
  ALGORITHM(MESH_HW, 7)    /* multicast and reduction in routers */ \
  ALGORITHM(MESH_NAIVE, 8) /* one transfer after the other */       \
  ALGORITHM(MESH_SEQ, 9)   /* the same, pipelined in batches */     \
  ALGORITHM(MESH_TREE, 10) /* binary tree */

enum boot_algorithm {
#define NUMBER(name, number, function) BOOT_##name = (number),
#define NUMBER_ON_MESH(name, number) BOOT_##name = (number),
  COLLECTIVE_ALGORITHMS(NUMBER) MESH_ALGORITHMS(NUMBER_ON_MESH)
#undef NUMBER
#undef NUMBER_ON_MESH
};

#ifdef __cplusplus
extern "C" {
#endif

/* Each does the collectives that its descriptor names and refuses others (STATUS_UNSUPPORTED).
 * It returns when this rank has all it is to receive. */
struct communicator;
#define FUNCTION(name, number, function) \
  enum status function(struct communicator* comm, const struct boot_job* job);
COLLECTIVE_ALGORITHMS(FUNCTION)
#undef FUNCTION

#ifdef __cplusplus
}
#endif

#endif
