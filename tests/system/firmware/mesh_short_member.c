/* Rank 1 gives a reduction half as many beats as the others. */
#include "mesh_mistake.h"

int main(void) {
  struct mesh mesh;
  struct boot_job job;
  const enum status status = take_job(&mesh, &job);
  if (status != STATUS_OK) return (int)status;
  if (mesh.boot.rank == 1) job.elements /= 2;
  mesh_set_reduce(&mesh, &job);
  return (int)mesh_reduce_hw(&mesh, &job);
}
