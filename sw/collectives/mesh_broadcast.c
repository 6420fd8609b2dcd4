#include "collectives/mesh.h"

void mesh_set_broadcast(struct mesh* mesh, const struct boot_job* job) {
  const struct mesh_transfer transfer = {mesh->boot.self + job->data, mesh_source(mesh, job),
                                         (uint32_t)(job->elements * job->element_bytes),
                                         MESH_DMA_MULTICAST, mesh_everybody(mesh)};
  mesh_dma_set(&mesh->dma, &transfer);
}

enum status mesh_broadcast_hw(struct mesh* mesh, const struct boot_job* job) {
  if (mesh->boot.rank != job->root || job->elements == 0) return STATUS_OK;
  mesh_dma_go(&mesh->dma);
  return mesh_dma_wait(&mesh->dma);
}

static enum status fetch(struct mesh* mesh, uint64_t destination, uint64_t source, uint64_t bytes) {
  const struct mesh_transfer transfer = {destination, source, (uint32_t)bytes, MESH_DMA_COPY, 0};
  mesh_dma_start(&mesh->dma, &transfer);
  return mesh_dma_wait(&mesh->dma);
}

/* In step s, the tile that is d away from the source fetches batch s - d. */
enum status mesh_broadcast_seq(struct mesh* mesh, const struct boot_job* job, uint64_t batch) {
  const uint64_t bytes = job->elements * job->element_bytes;
  const uint64_t batches = (bytes + batch - 1) / batch;
  const uint64_t own = mesh->boot.self + job->data;
  const uint32_t has_memory = mesh->place.memory != 0;
  const uint32_t distance = mesh->x + mesh->y + has_memory;
  uint64_t source = mesh_source(mesh, job);
  if (mesh->y > 0)
    source = mesh_tile(mesh, mesh->x, mesh->y - 1) + job->data;
  else if (mesh->x > 0)
    source = mesh_tile(mesh, mesh->x - 1, 0) + job->data;
  const uint64_t steps = batches + mesh->columns + mesh->rows + has_memory - 3;
  for (uint64_t step = 0; step < steps; ++step) {
    const uint64_t number = step + 1 - distance; /* huge before its turn */
    if (distance > 0 && number < batches) {
      const uint64_t done = number * batch;
      const enum status status =
          fetch(mesh, own + done, source + done, bytes - done < batch ? bytes - done : batch);
      if (status != STATUS_OK) return status;
    }
    if (step + 1 < steps) mesh_barrier(mesh);
  }
  return STATUS_OK;
}

/* One step: the tile at `at` of a line of so many fetches from the one `distance` before it. */
static int is_fetching(uint32_t at, uint32_t distance) {
  return at % (2 * distance) == distance;
}

enum status mesh_broadcast_tree(struct mesh* mesh, const struct boot_job* job) {
  const uint64_t bytes = job->elements * job->element_bytes;
  const uint64_t own = mesh->boot.self + job->data;
  enum status status = STATUS_OK;
  if (mesh->place.memory != 0) {
    if (mesh->boot.rank == 0) status = fetch(mesh, own, mesh_source(mesh, job), bytes);
    if (mesh->boot.ranks > 1) mesh_barrier(mesh);
  }
  for (uint32_t d = mesh->columns / 2; d > 0 && status == STATUS_OK; d /= 2) {
    if (mesh->y == 0 && is_fetching(mesh->x, d))
      status = fetch(mesh, own, mesh_tile(mesh, mesh->x - d, 0) + job->data, bytes);
    if (d > 1 || mesh->rows > 1) mesh_barrier(mesh);
  }
  for (uint32_t d = mesh->rows / 2; d > 0 && status == STATUS_OK; d /= 2) {
    if (is_fetching(mesh->y, d))
      status = fetch(mesh, own, mesh_tile(mesh, mesh->x, mesh->y - d) + job->data, bytes);
    if (d > 1) mesh_barrier(mesh);
  }
  return status;
}
