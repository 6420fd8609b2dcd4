#include "collectives/mesh_broadcast.h"

#include "collectives/mesh_barrier.h"
#include "collectives/mesh_job.h"
#include "hal/hal.h"

void mesh_set_broadcast(struct mesh* mesh, const struct boot_job* job) {
  const struct mesh_transfer transfer = {
      .destination = mesh->boot.self + job->data,
      .source = mesh_source(mesh, job),
      .bytes = (uint32_t)(job->elements * job->element_bytes),
      .op = MESH_DMA_MULTICAST,
      .mask = mesh_everybody(mesh),
  };
  mesh_dma_set(&mesh->dma, &transfer);
}

/* Instructions of the source's runtime between its time stamp and its first look at the engine:
 * dmsrc and dmdst before the one that starts it, and one that resets the user field
 * (pulp-platform/picobello, sw/snitch/tests/dma_multicast_v2.c, dma_multicast_hw). */
enum { INSTRUCTIONS_BEFORE = 2, INSTRUCTIONS_BEHIND = 1 };

enum status mesh_broadcast_hw(struct mesh* mesh, const struct boot_job* job) {
  if (mesh->boot.rank != job->root || job->elements == 0) return STATUS_OK;
  hal_spend(INSTRUCTIONS_BEFORE);
  mesh_dma_go(&mesh->dma);
  hal_spend(INSTRUCTIONS_BEHIND);
  return mesh_dma_wait_handed_over(&mesh->dma);
}

/* A tile's part of a line: in step s, the tile that is `behind` behind its source fetches batch
 * s + 1 - behind. */
struct fetching {
  uint64_t steps;
  uint64_t behind; /* 0: the tile keeps in step */
  uint64_t source;
};

static enum status fetch_line(struct mesh* mesh, const struct boot_job* job, uint64_t batch,
                              const struct fetching* line, int is_last) {
  const uint64_t bytes = job->elements * job->element_bytes;
  const uint64_t batches = (bytes + batch - 1) / batch;
  for (uint64_t step = 0; step < line->steps; ++step) {
    const uint64_t number = step + 1 - line->behind; /* huge before its turn */
    if (line->behind > 0 && number < batches) {
      const uint64_t done = number * batch;
      const enum status status =
          mesh_fetch(mesh, mesh->boot.self + job->data + done, line->source + done,
                     bytes - done < batch ? bytes - done : batch);
      if (status != STATUS_OK) return status;
    }
    if (step + 1 < line->steps || !is_last) mesh_next_step(mesh);
  }
  return STATUS_OK;
}

/* The row of the source first, then all columns, as the source's benchmark does: a tile that served
 * its row and its column at a time would share its link between them. */
enum status mesh_broadcast_seq(struct mesh* mesh, const struct boot_job* job, uint64_t batch) {
  const uint64_t bytes = job->elements * job->element_bytes;
  const uint64_t more = (bytes + batch - 1) / batch - 1; /* batches after the first */
  const uint32_t has_memory = (uint32_t)mesh_has_source(mesh, job);
  struct fetching row = {.source = mesh_source(mesh, job)};
  struct fetching column = {.behind = mesh->y};
  if (mesh->columns + has_memory > 1) row.steps = more + mesh->columns + has_memory - 1;
  if (mesh->rows > 1) column.steps = more + mesh->rows - 1;
  if (mesh->y == 0) row.behind = mesh->x + has_memory;
  if (mesh->x > 0) row.source = mesh_tile(mesh, mesh->x - 1, 0) + job->data;
  if (mesh->y > 0) column.source = mesh_tile(mesh, mesh->x, mesh->y - 1) + job->data;
  const enum status status = fetch_line(mesh, job, batch, &row, mesh->rows == 1);
  return status == STATUS_OK ? fetch_line(mesh, job, batch, &column, 1) : status;
}

static enum status copy_to(struct mesh* mesh, const struct boot_job* job, uint64_t tile) {
  const struct mesh_transfer transfer = {
      .destination = tile + job->data,
      .source = mesh->boot.self + job->data,
      .bytes = (uint32_t)(job->elements * job->element_bytes),
      .op = MESH_DMA_COPY,
      .mask = 0,
  };
  mesh_dma_start(&mesh->dma, &transfer);
  return mesh_wait_sent(mesh, job);
}

/* The first distance over which a line of that length passes its data on. */
static uint32_t widest_step(const struct mesh* mesh, uint32_t length) {
  uint32_t distance = 1;
  if (mesh->has_masks || length < 2) return length / 2;
  while (2 * distance < length) distance *= 2;
  return distance;
}

/* One level: who has the data sends it `distance` on. The root has it first: what it fetched, it
 * sends at once. */
enum status mesh_broadcast_tree(struct mesh* mesh, const struct boot_job* job) {
  enum status status = STATUS_OK;
  if (mesh_has_source(mesh, job) && mesh->boot.rank == 0)
    status = mesh_fetch(mesh, mesh->boot.self + job->data, mesh_source(mesh, job),
                        job->elements * job->element_bytes);
  for (uint32_t d = widest_step(mesh, mesh->columns); d > 0 && status == STATUS_OK; d /= 2) {
    if (mesh->y == 0 && mesh->x % (2 * d) == 0 && mesh->x + d < mesh->columns)
      status = copy_to(mesh, job, mesh_tile(mesh, mesh->x + d, 0));
    if (d > 1 || mesh->rows > 1) mesh_next_step(mesh);
  }
  for (uint32_t d = widest_step(mesh, mesh->rows); d > 0 && status == STATUS_OK; d /= 2) {
    if (mesh->y % (2 * d) == 0 && mesh->y + d < mesh->rows)
      status = copy_to(mesh, job, mesh_tile(mesh, mesh->x, mesh->y + d));
    if (d > 1) mesh_next_step(mesh);
  }
  return status;
}
