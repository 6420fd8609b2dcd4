/* Runs the collectives that the platform posts, on the tiles of a mesh. */
#include "collectives/mesh.h"
#include "hal/hal.h"

static enum status run_job(struct mesh* mesh, uint32_t number) {
  struct boot_job job;
  hal_read_block(&job, mesh->boot.job, sizeof job);
  enum status status = mesh_prepare(mesh, &job);
  if (status != STATUS_OK) return status;
  hal_mark(HAL_MARK_START, number);
  status = mesh_collective(mesh, &job);
  if (status != STATUS_OK) return status;
  hal_mark(HAL_MARK_END, number);
  mesh_release(mesh, &job);
  return STATUS_OK;
}

int main(void) {
  struct mesh mesh;
  enum status status = mesh_open(&mesh);
  if (status == STATUS_NO_PART) return 0;
  while (status == STATUS_OK) {
    const uint32_t number = hal_next_job();
    if (number == HAL_NO_JOB) break;
    status = run_job(&mesh, number);
  }
  if (status != STATUS_OK) hal_log(status_name(status), (uint64_t)status);
  return (int)status;
}
