#include "collectives/layout.h"
#include "collectives/mesh.h"

/* Every rank writes its data to the root's; the routers add what meets on the way. The root reads a
 * beat before the sum that replaces it can exist. */
void mesh_set_reduce(struct mesh* mesh, const struct boot_job* job) {
  const uint64_t root = mesh_tile(mesh, job->root % mesh->columns, job->root / mesh->columns);
  const struct mesh_transfer transfer = {root + job->data, mesh->boot.self + job->data,
                                         (uint32_t)(job->elements * job->element_bytes),
                                         MESH_DMA_ADD_F64, mesh_everybody(mesh)};
  mesh_dma_set(&mesh->dma, &transfer);
}

enum status mesh_reduce_hw(struct mesh* mesh, const struct boot_job* job) {
  if (job->elements == 0) return STATUS_OK;
  mesh_dma_go(&mesh->dma);
  return mesh_dma_wait(&mesh->dma);
}

static uint64_t bytes_of(const struct boot_job* job) {
  return job->elements * job->element_bytes;
}

/* A multiple of 64 B that the scratch memory holds twice. */
static uint64_t batch_of(const struct boot_job* job) {
  const uint64_t whole = round_up_to_64(bytes_of(job));
  return job->slot_bytes < whole ? job->slot_bytes : whole;
}

static uint64_t batches_of(const struct boot_job* job) {
  return (bytes_of(job) + batch_of(job) - 1) / batch_of(job);
}

static uint64_t batch_bytes(const struct boot_job* job, uint64_t number) {
  const uint64_t rest = bytes_of(job) - number * batch_of(job);
  return rest < batch_of(job) ? rest : batch_of(job);
}

/* Batches go to the two halves of the scratch memory in turn. */
static void start_fetch(struct mesh* mesh, const struct boot_job* job, uint64_t partner,
                        uint64_t number) {
  const uint64_t batch = batch_of(job);
  const struct mesh_transfer transfer = {mesh->boot.self + job->scratch + number % 2 * batch,
                                         partner + job->data + number * batch,
                                         (uint32_t)batch_bytes(job, number), MESH_DMA_COPY, 0};
  mesh_dma_start(&mesh->dma, &transfer);
}

static enum status add_batch(struct mesh* mesh, const struct boot_job* job, uint64_t number) {
  const uint64_t batch = batch_of(job);
  return vector_reduce(&mesh->vector, mesh->boot.self + job->data + number * batch,
                       mesh->boot.self + job->scratch + number % 2 * batch,
                       batch_bytes(job, number) / job->element_bytes, job->element_bytes);
}

/* Adds the partner's data to ours: one batch is fetched while the one before is added. */
static enum status fetch_and_add(struct mesh* mesh, const struct boot_job* job, uint64_t partner) {
  const uint64_t batches = batches_of(job);
  start_fetch(mesh, job, partner, 0);
  for (uint64_t number = 0; number < batches; ++number) {
    enum status status = mesh_dma_wait(&mesh->dma);
    if (status != STATUS_OK) return status;
    if (number + 1 < batches) start_fetch(mesh, job, partner, number + 1);
    status = add_batch(mesh, job, number);
    if (status != STATUS_OK) return status;
  }
  return STATUS_OK;
}

enum status mesh_reduce_tree(struct mesh* mesh, const struct boot_job* job) {
  enum status status = STATUS_OK;
  for (uint32_t d = 1; d < mesh->columns && status == STATUS_OK; d *= 2) {
    if (mesh->x % (2 * d) == 0)
      status = fetch_and_add(mesh, job, mesh_tile(mesh, mesh->x + d, mesh->y));
    if (2 * d < mesh->columns || mesh->rows > 1) mesh_barrier(mesh);
  }
  for (uint32_t d = 1; d < mesh->rows && status == STATUS_OK; d *= 2) {
    if (mesh->x == 0 && mesh->y % (2 * d) == 0)
      status = fetch_and_add(mesh, job, mesh_tile(mesh, 0, mesh->y + d));
    if (2 * d < mesh->rows) mesh_barrier(mesh);
  }
  return status;
}

/* A line of tiles towards its first: the one that is `hops` from the far end fetches batch b in
 * step 2 (hops - 1) + b from the one before it, and adds it in the next step. The far end, and
 * tiles outside the line (hops 0), keep in step. */
static enum status reduce_line(struct mesh* mesh, const struct boot_job* job, uint64_t length,
                               uint64_t hops, uint64_t before) {
  const uint64_t batches = batches_of(job);
  const uint64_t steps = length > 1 ? 2 * (length - 2) + batches + 1 : 0;
  for (uint64_t step = 0; step < steps; ++step) {
    const uint64_t fetched = step + 2 - 2 * hops; /* huge before its turn */
    const int fetches = hops > 0 && fetched < batches;
    if (fetches) start_fetch(mesh, job, before, fetched);
    if (hops > 0 && fetched - 1 < batches) {
      const enum status status = add_batch(mesh, job, fetched - 1);
      if (status != STATUS_OK) return status;
    }
    if (fetches) {
      const enum status status = mesh_dma_wait(&mesh->dma);
      if (status != STATUS_OK) return status;
    }
    if (step + 1 < steps) mesh_barrier(mesh);
  }
  return STATUS_OK;
}

enum status mesh_reduce_seq(struct mesh* mesh, const struct boot_job* job) {
  const uint32_t hops_in_row = mesh->columns - 1 - mesh->x;
  const uint64_t right = hops_in_row > 0 ? mesh_tile(mesh, mesh->x + 1, mesh->y) : 0;
  const enum status status = reduce_line(mesh, job, mesh->columns, hops_in_row, right);
  if (status != STATUS_OK || mesh->rows == 1) return status;
  if (mesh->columns > 1) mesh_barrier(mesh);
  const uint32_t hops = mesh->x == 0 ? mesh->rows - 1 - mesh->y : 0;
  const uint64_t above = hops > 0 ? mesh_tile(mesh, 0, mesh->y + 1) : 0;
  return reduce_line(mesh, job, mesh->rows, hops, above);
}
