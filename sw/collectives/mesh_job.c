#include "collectives/mesh_job.h"

#include "hal/hal.h"

int mesh_has_source(const struct mesh* mesh, const struct boot_job* job) {
  return job->collective == BOOT_BROADCAST && mesh->grid.memory != 0;
}

uint64_t mesh_source(const struct mesh* mesh, const struct boot_job* job) {
  return mesh_has_source(mesh, job) ? mesh->grid.memory : mesh->boot.self + job->data;
}

enum status mesh_unsupported(const struct boot_job* job) {
  hal_log("mesh: no such algorithm for the collective",
          (uint64_t)job->collective << 32 | job->algorithm);
  return STATUS_UNSUPPORTED;
}
