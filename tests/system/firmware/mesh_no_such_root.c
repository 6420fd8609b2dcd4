/* A reduction to the rank after the last. */
#include "mesh_mistake.h"

int main(void) {
  struct mesh mesh;
  struct boot_job job;
  const enum status status = take_job(&mesh, &job);
  if (status != STATUS_OK) return (int)status;
  job.root = mesh.boot.ranks;
  return (int)mesh_reduce(&mesh, &job);
}
