/* Runs the GEMMs and collectives that the platform posts, on the tiles of a mesh. */
#include "collectives/mesh.h"
#include "hal/hal.h"
#include "kernels/gemm.h"
#include "kernels/gemm_layout.h"

static enum status run_gemm(struct gemm* gemm, const struct boot_job* job, uint32_t number) {
  enum status status = gemm_prepare(gemm, job);
  if (status != STATUS_OK) return status;
  hal_mark(HAL_MARK_START, number);
  status = gemm_run(gemm, job);
  if (status != STATUS_OK) return status;
  hal_mark(HAL_MARK_END, number);
  gemm_release(gemm);
  return STATUS_OK;
}

int main(void) {
  struct mesh mesh;
  struct gemm gemm;
  enum status status = mesh_open(&mesh);
  if (status == STATUS_NO_PART) return 0;
  if (status == STATUS_OK) status = gemm_open(&gemm, &mesh);
  while (status == STATUS_OK) {
    const uint32_t number = hal_next_job();
    struct boot_job job;
    if (number == HAL_NO_JOB) break;
    hal_read_block(&job, mesh.boot.job, sizeof job);
    status =
        is_gemm(job.collective) ? run_gemm(&gemm, &job, number) : mesh_run_job(&mesh, &job, number);
  }
  if (status != STATUS_OK) hal_log(status_name(status), (uint64_t)status);
  return (int)status;
}
