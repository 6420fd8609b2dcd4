#include "collectives/mesh_tiles.h"

#include "drivers/arithmetic.h"
#include "drivers/boot_block.h"
#include "hal/hal.h"
#include "regs/network_interface_regs.h"

enum status mesh_open(struct mesh* mesh) {
  struct boot_block* boot = &mesh->boot;
  const enum status status = boot_open(boot);
  if (status != STATUS_OK) return status;
  hal_read_block(&mesh->grid, hal_boot_address() + BOOT_MESH_OFFSET, sizeof mesh->grid);
  if (mesh->grid.columns == 0 || boot->ranks % mesh->grid.columns != 0) {
    hal_log("mesh: the ranks are no mesh of so many columns", mesh->grid.columns);
    return STATUS_BAD_BOOT;
  }
  mesh->registers = hal_device(NETWORK_INTERFACE_BLOCK_ID, 0);
  mesh->base = hal_read64(mesh->registers + NETWORK_INTERFACE_BASE);
  mesh->alias = hal_read64(mesh->registers + NETWORK_INTERFACE_ALIAS);
  mesh->tile_size = hal_read32(mesh->registers + NETWORK_INTERFACE_TILE_SIZE);
  mesh->columns = (uint32_t)mesh->grid.columns;
  mesh->rows = boot->ranks / mesh->columns;
  mesh->x = boot->rank % mesh->columns;
  mesh->y = boot->rank / mesh->columns;
  mesh->pitch = mesh->columns;
  mesh->lines = BOOT_WHOLE_MESH;
  for (uint32_t lines = BOOT_WHOLE_MESH; lines <= BOOT_COLUMNS; ++lines) mesh->barriers[lines] = 0;
  mesh->barrier_status = STATUS_OK;
  mesh->has_masks = is_power_of_two(mesh->columns) && is_power_of_two(mesh->rows);
  if (mesh->columns != hal_read32(mesh->registers + NETWORK_INTERFACE_WIDTH) ||
      mesh->rows != hal_read32(mesh->registers + NETWORK_INTERFACE_HEIGHT)) {
    hal_log("mesh: the ranks are not all tiles of the submesh, but", boot->ranks);
    return STATUS_BAD_BOOT;
  }
  mesh_dma_open(&mesh->dma, boot);
  vector_open(&mesh->vector, boot);
  if (mesh->has_masks) {
    hal_write64(mesh->registers + NETWORK_INTERFACE_MASK, mesh_everybody(mesh));
    hal_write32(mesh->registers + NETWORK_INTERFACE_OPERATION,
                NETWORK_INTERFACE_OPERATION_OP_LSB_AND);
    hal_fence();
  }
  return STATUS_OK;
}

uint64_t mesh_tile(const struct mesh* mesh, uint32_t x, uint32_t y) {
  return mesh->base + ((uint64_t)y * mesh->pitch + x) * mesh->tile_size;
}

uint64_t mesh_everybody(const struct mesh* mesh) {
  return ((mesh->rows - UINT64_C(1)) * mesh->pitch + mesh->columns - 1) * mesh->tile_size;
}

static void start_copy(struct mesh* mesh, uint64_t destination, uint64_t source, uint64_t bytes) {
  const struct mesh_transfer transfer = {
      .destination = destination,
      .source = source,
      .bytes = (uint32_t)bytes,
      .op = MESH_DMA_COPY,
      .mask = 0,
  };
  mesh_dma_start(&mesh->dma, &transfer);
}

enum status mesh_copy(struct mesh* mesh, uint64_t destination, uint64_t source, uint64_t bytes) {
  start_copy(mesh, destination, source, bytes);
  return mesh_dma_wait(&mesh->dma);
}

enum status mesh_fetch(struct mesh* mesh, uint64_t destination, uint64_t source, uint64_t bytes) {
  start_copy(mesh, destination, source, bytes);
  return mesh_dma_wait_handed_over(&mesh->dma);
}

enum status mesh_wait_sent(const struct mesh* mesh, const struct boot_job* job) {
  return (job->flags & BOOT_JOB_ORDERED) != 0 ? mesh_dma_wait_handed_over(&mesh->dma)
                                              : mesh_dma_wait(&mesh->dma);
}
