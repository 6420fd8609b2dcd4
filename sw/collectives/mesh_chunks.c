#include "collectives/mesh_chunks.h"

#include "collectives/algorithms.h"
#include "collectives/layout.h"
#include "collectives/mesh_barrier.h"
#include "collectives/mesh_job.h"
#include "collectives/mesh_reduce.h"
#include "collectives/partition.h"
#include "drivers/arithmetic.h"

/* Chunks [first, first + count), which follow each other in every window. */
struct chunks {
  uint64_t offset; /* of the first one, from the window's begin */
  uint64_t elements;
  uint64_t bytes;
};

static struct chunks chunks_of(const struct mesh* mesh, const struct boot_job* job, uint32_t first,
                               uint32_t count) {
  const struct range from = chunk_of(job->elements, mesh->boot.ranks, first);
  const struct range last = chunk_of(job->elements, mesh->boot.ranks, first + count - 1);
  const uint64_t elements = last.begin + last.count - from.begin;
  const struct chunks found = {
      .offset = job->data + from.begin * job->element_bytes,
      .elements = elements,
      .bytes = elements * job->element_bytes,
  };
  return found;
}

static uint64_t window_of(const struct mesh* mesh, uint32_t rank) {
  return mesh_tile(mesh, rank % mesh->columns, rank / mesh->columns);
}

/* Reductions of the same members, who know by the answer that one is done. A router may know one
 * wide reduction at a time (collective NoC 3.1.4), so that the next one waits for it. */
static enum status reduce_to(struct mesh* mesh, const struct boot_job* job, uint64_t window,
                             const struct chunks* data, uint64_t members) {
  const struct mesh_transfer transfer = {
      .destination = window + data->offset,
      .source = mesh->boot.self + data->offset,
      .bytes = (uint32_t)data->bytes,
      .op = mesh_operation_of(job),
      .mask = members,
  };
  mesh_dma_start(&mesh->dma, &transfer);
  return mesh_dma_wait(&mesh->dma);
}

/* Columns add up the chunks of each row in that row, then rows each chunk in its column: as many
 * reductions as rows and columns, in place of one for each rank, and of two inputs a router. */
static enum status reduce_scatter_hw(struct mesh* mesh, const struct boot_job* job) {
  const uint64_t row = mesh->tile_size * (mesh->columns - 1);
  const uint64_t column = mesh->tile_size * mesh->pitch * (mesh->rows - 1);
  enum status status = STATUS_OK;
  for (uint32_t y = 0; column != 0 && y < mesh->rows && status == STATUS_OK; ++y) {
    const struct chunks of_row = chunks_of(mesh, job, y * mesh->columns, mesh->columns);
    status = reduce_to(mesh, job, mesh_tile(mesh, mesh->x, y), &of_row, column);
  }
  if (status == STATUS_OK && row != 0 && column != 0) mesh_next_step(mesh);
  for (uint32_t x = 0; row != 0 && x < mesh->columns && status == STATUS_OK; ++x) {
    const struct chunks own = chunks_of(mesh, job, mesh->y * mesh->columns + x, 1);
    status = reduce_to(mesh, job, mesh_tile(mesh, x, mesh->y), &own, row);
  }
  return status;
}

/* All ranks multicast at a time: packets of multicasts hold no output between their flits. */
static enum status allgather_hw(struct mesh* mesh, const struct boot_job* job) {
  const struct chunks own = chunks_of(mesh, job, mesh->boot.rank, 1);
  const uint64_t at = mesh->boot.self + own.offset;
  const struct mesh_transfer transfer = {
      .destination = at,
      .source = at,
      .bytes = (uint32_t)own.bytes,
      .op = MESH_DMA_MULTICAST,
      .mask = mesh_everybody(mesh),
  };
  mesh_dma_start(&mesh->dma, &transfer);
  return mesh_dma_wait(&mesh->dma);
}

static enum status add(struct mesh* mesh, const struct boot_job* job, const struct chunks* sum,
                       uint64_t operand) {
  return vector_reduce(&mesh->vector, mesh->boot.self + sum->offset, operand, sum->elements,
                       job->element_bytes);
}

/* Each rank begins with the one behind it, so that no two send to the same rank at a time. What
 * rank r sends arrives in region r of the scratch memory, and is added in that order. */
static enum status reduce_scatter_naive(struct mesh* mesh, const struct boot_job* job) {
  const uint32_t ranks = mesh->boot.ranks, own = mesh->boot.rank;
  const uint64_t region = receive_region_bytes(job, ranks);
  const struct chunks sum = chunks_of(mesh, job, own, 1);
  enum status status = STATUS_OK;
  for (uint32_t behind = 1; behind < ranks && status == STATUS_OK; ++behind) {
    const uint32_t to = (own + behind) % ranks;
    const struct chunks chunk = chunks_of(mesh, job, to, 1);
    status = mesh_copy(mesh, window_of(mesh, to) + job->scratch + own * region,
                       mesh->boot.self + chunk.offset, chunk.bytes);
  }
  if (status == STATUS_OK) mesh_next_step(mesh);
  for (uint32_t behind = 1; behind < ranks && status == STATUS_OK; ++behind) {
    const uint32_t from = (own + behind) % ranks;
    status = add(mesh, job, &sum, mesh->boot.self + job->scratch + from * region);
  }
  return status;
}

static enum status allgather_naive(struct mesh* mesh, const struct boot_job* job) {
  const uint32_t ranks = mesh->boot.ranks;
  const struct chunks own = chunks_of(mesh, job, mesh->boot.rank, 1);
  enum status status = STATUS_OK;
  for (uint32_t behind = 1; behind < ranks && status == STATUS_OK; ++behind) {
    const uint32_t to = (mesh->boot.rank + behind) % ranks;
    status =
        mesh_copy(mesh, window_of(mesh, to) + own.offset, mesh->boot.self + own.offset, own.bytes);
  }
  return status;
}

/* Halves with the partner at half the ranks' distance, quarters at a quarter of it ... The partner
 * gets the half that it keeps; regions of the levels do not overlap, because a rank may still add
 * when the next level comes in. */
static enum status reduce_scatter_tree(struct mesh* mesh, const struct boot_job* job) {
  const uint32_t ranks = mesh->boot.ranks, own = mesh->boot.rank;
  enum status status = STATUS_OK;
  uint32_t level = 0;
  for (uint32_t d = ranks / 2; d > 0 && status == STATUS_OK; d /= 2, ++level) {
    const uint32_t partner = own ^ d;
    const uint64_t region = job->scratch + halving_region(job, ranks, level);
    const struct chunks given = chunks_of(mesh, job, partner & ~(d - 1), d);
    const struct chunks kept = chunks_of(mesh, job, own & ~(d - 1), d);
    status = mesh_copy(mesh, window_of(mesh, partner) + region, mesh->boot.self + given.offset,
                       given.bytes);
    if (status != STATUS_OK) return status;
    mesh_next_step(mesh);
    status = add(mesh, job, &kept, mesh->boot.self + region);
  }
  return status;
}

/* The same backwards: what a rank has doubles with every step. */
static enum status allgather_tree(struct mesh* mesh, const struct boot_job* job) {
  enum status status = STATUS_OK;
  for (uint32_t d = 1; d < mesh->boot.ranks && status == STATUS_OK; d *= 2) {
    const struct chunks own = chunks_of(mesh, job, mesh->boot.rank & ~(d - 1), d);
    status = mesh_copy(mesh, window_of(mesh, mesh->boot.rank ^ d) + own.offset,
                       mesh->boot.self + own.offset, own.bytes);
    if (status == STATUS_OK && 2 * d < mesh->boot.ranks) mesh_next_step(mesh);
  }
  return status;
}

enum status mesh_reduce_scatter(struct mesh* mesh, const struct boot_job* job) {
  switch (job->algorithm) {
    case BOOT_MESH_HW:
      return reduce_scatter_hw(mesh, job);
    case BOOT_MESH_NAIVE:
      return reduce_scatter_naive(mesh, job);
    case BOOT_MESH_TREE:
      if (is_power_of_two(mesh->boot.ranks)) return reduce_scatter_tree(mesh, job);
      return mesh_unsupported(job);
    default:
      return mesh_unsupported(job);
  }
}

enum status mesh_allgather(struct mesh* mesh, const struct boot_job* job) {
  switch (job->algorithm) {
    case BOOT_MESH_HW:
      return allgather_hw(mesh, job);
    case BOOT_MESH_NAIVE:
      return allgather_naive(mesh, job);
    case BOOT_MESH_TREE:
      if (is_power_of_two(mesh->boot.ranks)) return allgather_tree(mesh, job);
      return mesh_unsupported(job);
    default:
      return mesh_unsupported(job);
  }
}
