/* What the mistaken firmware of a mesh has in common. */
#ifndef HEDDLE_TESTS_MESH_MISTAKE_H
#define HEDDLE_TESTS_MESH_MISTAKE_H

#include "collectives/mesh.h"
#include "hal/hal.h"

/* Opens the mesh and takes the job. */
static inline enum status take_job(struct mesh* mesh, struct boot_job* job) {
  const enum status status = mesh_open(mesh);
  if (status != STATUS_OK) return status;
  hal_mark(HAL_MARK_START, hal_next_job());
  hal_read_block(job, mesh->boot.job, sizeof *job);
  return STATUS_OK;
}

#endif
