#include "kernels/gemm_rank.h"

#include "hal/hal.h"
#include "kernels/gemm_layout.h"
#include "regs/gemm_engine_regs.h"

enum status gemm_open(struct gemm* gemm, struct mesh* mesh) {
  gemm->mesh = mesh;
  gemm->steps = 0;
  gemm->is_possible = hal_device_count(GEMM_ENGINE_BLOCK_ID) > 0 && mesh->grid.memory != 0;
  if (!gemm->is_possible) return STATUS_OK; /* then, no GEMM comes */
  gemm_engine_open(&gemm->engine, hal_device(GEMM_ENGINE_BLOCK_ID, 0), mesh->boot.timeout_ns);
  return STATUS_OK;
}

uint64_t gemm_tile_address(const struct gemm* gemm, const struct boot_job* job, uint64_t tile) {
  return gemm->mesh->boot.self + job->data + tile * gemm_tile_bytes(job);
}

uint64_t gemm_memory_of(const struct gemm* gemm, const struct boot_job* job, uint32_t row,
                        uint64_t tile) {
  const struct boot_mesh* grid = &gemm->mesh->grid;
  return grid->memory + row * grid->memory_size + tile * gemm_tile_bytes(job);
}

enum status gemm_fetch(struct gemm* gemm, const struct boot_job* job, uint64_t destination,
                       uint64_t source) {
  const struct mesh_transfer transfer = {
      .destination = destination,
      .source = source,
      .bytes = (uint32_t)gemm_tile_bytes(job),
      .op = MESH_DMA_COPY,
      .mask = 0,
  };
  mesh_dma_start(&gemm->mesh->dma, &transfer);
  return mesh_dma_wait(&gemm->mesh->dma);
}
