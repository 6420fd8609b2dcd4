/* A copy of what the core has just stored, and which may not have arrived. */
#include "mesh_mistake.h"
#include "regs/mesh_dma_regs.h"

int main(void) {
  struct mesh mesh;
  struct boot_job job;
  const enum status status = take_job(&mesh, &job);
  if (status != STATUS_OK) return (int)status;
  const uint64_t from = mesh.boot.self + job.data;
  const struct mesh_transfer transfer = {from + 64, from, 8, MESH_DMA_COPY, 0};
  mesh_dma_set(&mesh.dma, &transfer);
  hal_write64(from, 1);
  hal_write32(mesh.dma.registers + MESH_DMA_START, 1);
  return (int)mesh_dma_wait(&mesh.dma);
}
