/* A transfer whose length nobody has stated. */
#include "mesh_mistake.h"
#include "regs/mesh_dma_regs.h"

int main(void) {
  struct mesh mesh;
  struct boot_job job;
  const enum status status = take_job(&mesh, &job);
  if (status != STATUS_OK) return (int)status;
  hal_write64(mesh.dma.registers + MESH_DMA_SOURCE, mesh.boot.self + job.data);
  hal_write64(mesh.dma.registers + MESH_DMA_DESTINATION, mesh.boot.self + job.scratch);
  hal_write32(mesh.dma.registers + MESH_DMA_OPERATION, MESH_DMA_OPERATION_OP_COPY);
  hal_write32(mesh.dma.registers + MESH_DMA_START, 1);
  return 0;
}
