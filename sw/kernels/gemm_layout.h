/* Where the tiles of a GEMM on a mesh lie, for firmware and platform: in every L1 from
 * boot_job.data on, in the memory tile of each row from its first address on. A tile has
 * boot_job.tile rows and columns of doubles.
 */
#ifndef HEDDLE_KERNELS_GEMM_LAYOUT_H
#define HEDDLE_KERNELS_GEMM_LAYOUT_H

#include <stdint.h>

#include "hal/boot.h"

/* Tiles behind boot_job.data; A and B have room for two each, for the step at hand and the next. */
enum gemm_tile { GEMM_C = 0, GEMM_A = 1, GEMM_B = 3, GEMM_TILES = 5 };

static inline uint64_t gemm_tile_bytes(const struct boot_job* job) {
  return (uint64_t)job->tile * job->tile * sizeof(double);
}

static inline int is_gemm(uint32_t collective) {
  return collective == BOOT_SUMMA || collective == BOOT_FUSED_CONCAT_LINEAR;
}

/* SUMMA, tiles of a memory tile: row y of A lies in that of row y, step after step; column x of B
 * behind the A of row x mod rows. */
static inline uint32_t summa_row_of_column(uint32_t x, uint32_t rows) {
  return x % rows;
}
static inline uint64_t summa_tiles_before_column(const struct boot_job* job, uint32_t x,
                                                 uint32_t rows) {
  return (UINT64_C(1) + x / rows) * job->iterations;
}
static inline uint64_t summa_tiles_of_row(const struct boot_job* job, uint32_t columns,
                                          uint32_t rows) {
  return (UINT64_C(1) + (columns + rows - 1) / rows) * job->iterations;
}

/* FusedConcatLinear: A is in each L1 already, as attention has left it there; the B of the rank in
 * column x is tile x of its row's memory tile. Both are cut along K into slices, one a step: those
 * of A lie one after the other, each row by row. */
static inline uint32_t slice_depth(const struct boot_job* job) {
  return job->tile / job->iterations;
}

#endif
