/* A rank's part of a GEMM on a mesh: its engine, and the tiles that it reaches. */
#ifndef HEDDLE_KERNELS_GEMM_RANK_H
#define HEDDLE_KERNELS_GEMM_RANK_H

#include <stdint.h>

#include "collectives/mesh_tiles.h"
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
