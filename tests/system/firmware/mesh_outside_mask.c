/* A multicast to twice as many tiles as there are. */
#include "mesh_mistake.h"

int main(void) {
  struct mesh mesh;
  struct boot_job job;
  const enum status status = take_job(&mesh, &job);
  if (status != STATUS_OK) return (int)status;
  mesh.rows *= 2;
  mesh_set_broadcast(&mesh, &job);
  return (int)mesh_broadcast_hw(&mesh, &job);
}
