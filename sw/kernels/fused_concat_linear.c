#include "kernels/gemm.h"
#include "kernels/gemm_layout.h"

static enum status multiply(struct gemm* gemm, const struct boot_job* job) {
  const struct mesh* mesh = gemm->mesh;
  const struct gemm_operation operation = {gemm_place_of(gemm, job, GEMM_C),
                                           gemm_place_of(gemm, job, GEMM_A),
                                           gemm_place_of(gemm, job, GEMM_B), 0};
  const enum status status =
      gemm_fetch(gemm, job, operation.b, gemm_memory_of(gemm, job, mesh->y, mesh->x));
  if (status != STATUS_OK) return status;
  gemm_engine_start(&gemm->engine, &operation);
  return gemm_engine_wait(&gemm->engine);
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
