/* GEMMs on a mesh of tiles, FP64, each in two versions: collectives by the routers (BOOT_MESH_HW),
 * or copies between tiles in binary trees (BOOT_MESH_TREE), which hardware barriers keep in step.
 *
 * SUMMA (collective NoC Fig 8a): every rank owns a tile of C. In each step along K, row y needs a
 * tile of A and column x one of B, which come from the memory tiles while the step before is
 * multiplied.
 *
 * FusedConcatLinear (Fig 8b): every rank has its part of K, a tile wide. It multiplies its A, which
 * is in its L1, by its B from the memory tile of its row, slice by slice; the sum of all products
 * ends in rank 0.
 *
 * A job is: gemm_prepare(), then the start mark, gemm_run(), the end mark, gemm_release().
 */
#ifndef HEDDLE_KERNELS_GEMM_H
#define HEDDLE_KERNELS_GEMM_H

#include <stdint.h>

#include "collectives/mesh.h"
#include "drivers/gemm_engine.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gemm {
  struct mesh* mesh;
  struct gemm_engine engine;
  int is_possible; /* the tile has an engine, the mesh memory tiles */
  uint32_t steps;  /* of all jobs so far: what the flags of a step count */
};

enum status gemm_open(struct gemm* gemm, struct mesh* mesh);
enum status gemm_prepare(struct gemm* gemm, const struct boot_job* job);
enum status gemm_run(struct gemm* gemm, const struct boot_job* job);
void gemm_release(struct gemm* gemm);

enum status summa(struct gemm* gemm, const struct boot_job* job);
enum status fused_concat_linear(struct gemm* gemm, const struct boot_job* job);

/* Address of a tile in this rank's L1, and in the memory tile of that row. */
uint64_t gemm_tile_address(const struct gemm* gemm, const struct boot_job* job, uint64_t tile);
uint64_t gemm_memory_of(const struct gemm* gemm, const struct boot_job* job, uint32_t row,
                        uint64_t tile);
enum status gemm_fetch(struct gemm* gemm, const struct boot_job* job, uint64_t destination,
                       uint64_t source);

#ifdef __cplusplus
}
#endif

#endif
