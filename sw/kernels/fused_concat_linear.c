#include "kernels/fused_concat_linear.h"

#include "collectives/algorithms.h"
#include "collectives/mesh.h"
#include "kernels/gemm_layout.h"

enum { MOST_FETCHES = 3 }; /* queued at the DMA engine */

static uint64_t slice_bytes(const struct boot_job* job) {
  return gemm_tile_bytes(job) / job->iterations;
}

static void start_fetch(struct gemm* gemm, const struct boot_job* job, uint32_t step) {
  struct mesh* mesh = gemm->mesh;
  const uint64_t offset = step * slice_bytes(job);
  const struct mesh_transfer transfer = {
      .destination = gemm_tile_address(gemm, job, GEMM_B) + offset,
      .source = gemm_memory_of(gemm, job, mesh->y, mesh->x) + offset,
      .bytes = (uint32_t)slice_bytes(job),
      .op = MESH_DMA_COPY,
      .mask = 0,
  };
  mesh_dma_start(&mesh->dma, &transfer);
}

/* Slices of B come while those before are multiplied. */
static enum status multiply(struct gemm* gemm, const struct boot_job* job) {
  uint32_t fetched = 0;
  enum status status = STATUS_OK;
  for (uint32_t step = 0; step < job->iterations && status == STATUS_OK; ++step) {
    const uint64_t offset = step * slice_bytes(job);
    const struct gemm_operation operation = {
        gemm_tile_address(gemm, job, GEMM_C), gemm_tile_address(gemm, job, GEMM_A) + offset,
        gemm_tile_address(gemm, job, GEMM_B) + offset, step > 0};
    while (fetched < job->iterations && fetched < step + MOST_FETCHES)
      start_fetch(gemm, job, fetched++);
    status = mesh_dma_wait_for(&gemm->mesh->dma, fetched - step - 1);
    if (status == STATUS_OK && step > 0) status = gemm_engine_wait(&gemm->engine);
    if (status == STATUS_OK) gemm_engine_start(&gemm->engine, &operation);
  }
  return status == STATUS_OK ? gemm_engine_wait(&gemm->engine) : status;
}

/* Routers wait for whoever is late; who copies has to know that the product is there. */
enum status fused_concat_linear(struct gemm* gemm, const struct boot_job* job) {
  struct mesh* mesh = gemm->mesh;
  struct boot_job reduction = *job;
  reduction.collective = BOOT_REDUCE;
  const enum status status = multiply(gemm, job);
  if (status != STATUS_OK) return status;
  if (job->algorithm == BOOT_MESH_HW)
    mesh_set_reduce(mesh, &reduction);
  else
    mesh_barrier(mesh);
  return mesh_reduce(mesh, &reduction);
}
