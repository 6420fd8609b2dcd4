#include "collectives/mesh.h"

#include "drivers/arithmetic.h"
#include "hal/hal.h"
#include "regs/network_interface_regs.h"

enum status mesh_open(struct mesh* mesh) {
  struct boot_block* boot = &mesh->boot;
  hal_read_block(boot, hal_boot_address(), sizeof *boot);
  if (boot->ranks == 0) return STATUS_NO_PART;
  if (boot->magic != BOOT_MAGIC || boot->version != BOOT_VERSION || boot->rank >= boot->ranks) {
    hal_log("boot: not a boot block of this version", boot->version);
    return STATUS_BAD_BOOT;
  }
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

enum status mesh_copy(struct mesh* mesh, uint64_t destination, uint64_t source, uint64_t bytes) {
  const struct mesh_transfer transfer = {destination, source, (uint32_t)bytes, MESH_DMA_COPY, 0};
  mesh_dma_start(&mesh->dma, &transfer);
  return mesh_dma_wait(&mesh->dma);
}

enum status mesh_hand_over(struct mesh* mesh, uint64_t destination, uint64_t source,
                           uint64_t bytes) {
  const struct mesh_transfer transfer = {destination, source, (uint32_t)bytes, MESH_DMA_COPY, 0};
  mesh_dma_start(&mesh->dma, &transfer);
  return mesh_dma_wait_handed_over(&mesh->dma);
}

enum status mesh_unsupported(const struct boot_job* job) {
  hal_log("mesh: no such algorithm for the collective",
          (uint64_t)job->collective << 32 | job->algorithm);
  return STATUS_UNSUPPORTED;
}

enum status mesh_broadcast(struct mesh* mesh, const struct boot_job* job) {
  const uint64_t bytes = job->elements * job->element_bytes;
  switch (job->algorithm) {
    case BOOT_MESH_HW:
      return mesh_broadcast_hw(mesh, job);
    case BOOT_MESH_NAIVE:
      return mesh_broadcast_seq(mesh, job, bytes);
    case BOOT_MESH_SEQ:
      return mesh_broadcast_seq(mesh, job, job->slot_bytes < bytes ? job->slot_bytes : bytes);
    case BOOT_MESH_TREE:
      return mesh_broadcast_tree(mesh, job);
    default:
      return mesh_unsupported(job);
  }
}

enum status mesh_reduce(struct mesh* mesh, const struct boot_job* job) {
  struct boot_job whole = *job; /* in one batch */
  if (job->root >= mesh->boot.ranks) {
    hal_log("reduce: no such root", job->root);
    return STATUS_BAD_JOB;
  }
  switch (job->algorithm) {
    case BOOT_MESH_HW:
      return mesh_reduce_hw(mesh, job);
    case BOOT_MESH_NAIVE:
      whole.slot_bytes = job->elements * job->element_bytes;
      return mesh_reduce_tree(mesh, &whole);
    case BOOT_MESH_TREE:
      return mesh_reduce_tree(mesh, job);
    case BOOT_MESH_SEQ:
      return mesh_reduce_seq(mesh, job);
    default:
      return mesh_unsupported(job);
  }
}

/* The routers answer a reduction when the sum is there. Copies between tiles need a step between
 * the last addition and whoever fetches the sum. */
enum status mesh_allreduce(struct mesh* mesh, const struct boot_job* job) {
  const enum status status = mesh_reduce(mesh, job);
  if (status != STATUS_OK) return status;
  if (job->algorithm != BOOT_MESH_HW)
    mesh_next_step(mesh);
  else if (mesh->boot.rank == job->root)
    mesh_set_broadcast(mesh, job);
  return mesh_broadcast(mesh, job);
}

enum status mesh_collective(struct mesh* mesh, const struct boot_job* job) {
  switch (job->collective) {
    case BOOT_BARRIER:
      if (job->algorithm == BOOT_MESH_HW)
        mesh_barrier(mesh);
      else
        mesh_software_barrier(mesh);
      return STATUS_OK;
    case BOOT_BROADCAST:
      return mesh_broadcast(mesh, job);
    case BOOT_REDUCE:
      return mesh_reduce(mesh, job);
    case BOOT_ALLREDUCE:
      return mesh_allreduce(mesh, job);
    case BOOT_REDUCE_SCATTER:
      return mesh_reduce_scatter(mesh, job);
    case BOOT_ALLGATHER:
      return mesh_allgather(mesh, job);
    case BOOT_ALLTOALL:
      return mesh_alltoall(mesh, job);
    default:
      return mesh_unsupported(job);
  }
}

int mesh_has_source(const struct mesh* mesh, const struct boot_job* job) {
  return job->collective == BOOT_BROADCAST && mesh->grid.memory != 0;
}

uint64_t mesh_source(const struct mesh* mesh, const struct boot_job* job) {
  return mesh_has_source(mesh, job) ? mesh->grid.memory : mesh->boot.self + job->data;
}

static enum status stage(struct mesh* mesh, const struct boot_job* job) {
  return mesh_copy(mesh, mesh->grid.memory, mesh->boot.self + job->data,
                   job->elements * job->element_bytes);
}

/* All ranks of the mesh, whatever lines they are in. */
static void meet(struct mesh* mesh) {
  const uint32_t lines = mesh->lines;
  mesh_leave_lines(mesh);
  mesh_barrier(mesh);
  mesh_enter_lines(mesh, lines);
}

/* All ranks start together. Operation and length of the vector unit are set, as they are the same
 * for every step. */
enum status mesh_prepare(struct mesh* mesh, const struct boot_job* job) {
  enum status status = mesh_enter_lines(mesh, job->groups);
  const int has_root = job->collective == BOOT_REDUCE || job->collective == BOOT_ALLREDUCE;
  const int adds = has_root || job->collective == BOOT_REDUCE_SCATTER;
  if (status != STATUS_OK) return status;
  if (mesh_has_source(mesh, job) && mesh->boot.rank == job->root) status = stage(mesh, job);
  if (adds && job->algorithm != BOOT_MESH_HW)
    status = vector_set_operation(&mesh->vector, job->dtype, job->op);
  if (job->algorithm == BOOT_MESH_HW && job->collective == BOOT_BROADCAST)
    mesh_set_broadcast(mesh, job);
  if (has_root && job->algorithm == BOOT_MESH_HW) mesh_set_reduce(mesh, job);
  meet(mesh);
  return status;
}

enum status mesh_release(struct mesh* mesh, const struct boot_job* job) {
  const int is_barrier = job->collective == BOOT_BARRIER;
  const enum status status = is_barrier ? STATUS_OK : mesh_dma_wait(&mesh->dma);
  mesh_leave_lines(mesh);
  if (status == STATUS_OK && !is_barrier) mesh_barrier(mesh);
  return status == STATUS_OK ? mesh->barrier_status : status;
}

enum status mesh_run_job(struct mesh* mesh, const struct boot_job* job, uint32_t number) {
  enum status status = mesh_prepare(mesh, job);
  if (status != STATUS_OK) return status;
  hal_mark(HAL_MARK_START, number);
  status = mesh_collective(mesh, job);
  if (status == STATUS_OK) status = mesh->barrier_status;
  if (status != STATUS_OK) return status;
  hal_mark(HAL_MARK_END, number);
  return mesh_release(mesh, job);
}
