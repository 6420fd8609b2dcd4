/* Rank 3 is busy with something else while the others are at a barrier. */
#include "mesh_mistake.h"
#include "regs/network_interface_regs.h"

int main(void) {
  struct mesh mesh;
  struct boot_job job;
  const enum status status = take_job(&mesh, &job);
  if (status != STATUS_OK) return (int)status;
  if (mesh.boot.rank != 3)
    mesh_barrier(&mesh);
  else
    hal_poll_equal32(mesh.registers + NETWORK_INTERFACE_INTERRUPT, 1, 1, 0);
  return (int)mesh.barrier_status;
}
