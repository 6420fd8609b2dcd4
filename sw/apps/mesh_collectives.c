/* Runs the collectives that the platform posts, on the tiles of a mesh. */
#include "collectives/mesh.h"
#include "hal/hal.h"

int main(void) {
  struct mesh mesh;
  enum status status = mesh_open(&mesh);
  if (status == STATUS_NO_PART) return 0;
  while (status == STATUS_OK) {
    const uint32_t number = hal_next_job();
    struct boot_job job;
    if (number == HAL_NO_JOB) break;
    hal_read_block(&job, mesh.boot.job, sizeof job);
    status = mesh_run_job(&mesh, &job, number);
  }
  if (status != STATUS_OK) hal_log(status_name(status), (uint64_t)status);
  return (int)status;
}
