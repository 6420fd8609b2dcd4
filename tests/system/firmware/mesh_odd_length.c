/* A transfer of a word and a half. */
#include "mesh_mistake.h"
#include "regs/mesh_dma_regs.h"

int main(void) {
  struct mesh mesh;
  struct boot_job job;
  const enum status status = take_job(&mesh, &job);
  if (status != STATUS_OK) return (int)status;
  hal_write32(mesh.dma.registers + MESH_DMA_LENGTH, 12);
  return 0;
}
