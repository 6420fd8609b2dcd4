#include "kernels/gemm.h"

#include "collectives/algorithms.h"
#include "collectives/mesh_barrier.h"
#include "hal/hal.h"
#include "kernels/fused_concat_linear.h"
#include "kernels/gemm_layout.h"
#include "kernels/summa.h"

/* All ranks start together. */
enum status gemm_prepare(struct gemm* gemm, const struct boot_job* job) {
  struct mesh* mesh = gemm->mesh;
  enum status status = STATUS_OK;
  if (!gemm->is_possible) {
    hal_log("gemm: the tile has no GEMM engine, or the mesh no memory tiles", mesh->grid.memory);
    return STATUS_BAD_BOOT;
  }
  if (job->algorithm != BOOT_MESH_HW && job->algorithm != BOOT_MESH_TREE) {
    hal_log("gemm: no such algorithm", job->algorithm);
    return STATUS_UNSUPPORTED;
  }
  gemm_engine_set_shape(&gemm->engine, job->tile, job->tile,
                        job->collective == BOOT_SUMMA ? job->tile : slice_depth(job));
  if (job->collective == BOOT_FUSED_CONCAT_LINEAR && job->algorithm == BOOT_MESH_TREE)
    status = vector_set_operation(&mesh->vector, job->dtype, BOOT_SUM);
  mesh_barrier(mesh);
  return status;
}

enum status gemm_run(struct gemm* gemm, const struct boot_job* job) {
  return job->collective == BOOT_SUMMA ? summa(gemm, job) : fused_concat_linear(gemm, job);
}

void gemm_release(struct gemm* gemm) {
  mesh_barrier(gemm->mesh);
}
