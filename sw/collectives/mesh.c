#include "collectives/mesh.h"

#include "collectives/algorithms.h"
#include "collectives/mesh_alltoall.h"
#include "collectives/mesh_chunks.h"
#include "collectives/mesh_job.h"
#include "collectives/mesh_lines.h"
#include "drivers/arithmetic.h"
#include "hal/hal.h"

/* Of the algorithms that send slot_bytes at a time. */
static enum status check_batch(const struct boot_job* job) {
  if (job->slot_bytes != 0) return STATUS_OK;
  hal_log("mesh: batches of no bytes, job", job->number);
  return STATUS_BAD_JOB;
}

enum status mesh_broadcast(struct mesh* mesh, const struct boot_job* job) {
  const uint64_t bytes = job->elements * job->element_bytes;
  enum status status = STATUS_OK;
  if (bytes == 0) return STATUS_OK;
  switch (job->algorithm) {
    case BOOT_MESH_HW:
      return mesh_broadcast_hw(mesh, job);
    case BOOT_MESH_NAIVE:
      return mesh_broadcast_seq(mesh, job, bytes);
    case BOOT_MESH_SEQ:
      status = check_batch(job);
      if (status != STATUS_OK) return status;
      return mesh_broadcast_seq(mesh, job, smaller(job->slot_bytes, bytes));
    case BOOT_MESH_TREE:
      return mesh_broadcast_tree(mesh, job);
    default:
      return mesh_unsupported(job);
  }
}

enum status mesh_reduce(struct mesh* mesh, const struct boot_job* job) {
  struct boot_job whole = *job; /* in one batch */
  enum status status = STATUS_OK;
  if (job->root >= mesh->boot.ranks) {
    hal_log("reduce: no such root", job->root);
    return STATUS_BAD_JOB;
  }
  if (job->elements * job->element_bytes == 0) return STATUS_OK;
  switch (job->algorithm) {
    case BOOT_MESH_HW:
      return mesh_reduce_hw(mesh, job);
    case BOOT_MESH_NAIVE:
      whole.slot_bytes = job->elements * job->element_bytes;
      return mesh_reduce_tree(mesh, &whole);
    case BOOT_MESH_TREE:
      status = check_batch(job);
      return status == STATUS_OK ? mesh_reduce_tree(mesh, job) : status;
    case BOOT_MESH_SEQ:
      status = check_batch(job);
      return status == STATUS_OK ? mesh_reduce_seq(mesh, job) : status;
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

/* What releases the others from a barrier has to be there before the next barrier's count. */
enum status mesh_release(struct mesh* mesh, const struct boot_job* job) {
  const int is_barrier = job->collective == BOOT_BARRIER;
  const enum status status = is_barrier ? STATUS_OK : mesh_dma_wait(&mesh->dma);
  if (is_barrier) hal_fence();
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
