#include "collectives/mesh_reduce.h"

#include "collectives/layout.h"
#include "collectives/mesh_barrier.h"
#include "drivers/arithmetic.h"
#include "hal/hal.h"

enum mesh_dma_op mesh_operation_of(const struct boot_job* job) {
  const enum mesh_dma_op sum = job->dtype == BOOT_FP64   ? MESH_DMA_ADD_F64
                               : job->dtype == BOOT_FP32 ? MESH_DMA_ADD_F32
                               : job->dtype == BOOT_FP16 ? MESH_DMA_ADD_F16
                                                         : MESH_DMA_ADD_F8;
  return (enum mesh_dma_op)(sum + (job->op == BOOT_SUM ? 0 : job->op == BOOT_MAX ? 1 : 2));
}

/* Every rank writes its data to the root's; the routers add what meets on the way. The root reads a
 * beat before the sum that replaces it can exist. */
void mesh_set_reduce(struct mesh* mesh, const struct boot_job* job) {
  const uint64_t root = mesh_tile(mesh, job->root % mesh->columns, job->root / mesh->columns);
  const struct mesh_transfer transfer = {
      .destination = root + job->data,
      .source = mesh->boot.self + job->data,
      .bytes = (uint32_t)(job->elements * job->element_bytes),
      .op = mesh_operation_of(job),
      .mask = mesh_everybody(mesh),
  };
  mesh_dma_set(&mesh->dma, &transfer);
}

/* What the source's runtime computes between its time stamp and the transfer, in cycles: the tile's
 * row 1, the address of the same buffer at the root 3, the row's communicator 5 and its mask 4,
 * each loaded from L1, the operation 2, and the engine's user field set and reset 2
 * (pulp-platform/picobello, sw/snitch/tests/reduction_benchmark.c, dma_reduction_hw_simple). */
enum { REDUCTION_CYCLES = 17 };

enum status mesh_reduce_hw(struct mesh* mesh, const struct boot_job* job) {
  if (job->elements == 0) return STATUS_OK;
  hal_spend(REDUCTION_CYCLES);
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
static uint64_t half(const struct boot_job* job, uint64_t number) {
  return job->scratch + number % 2 * batch_of(job);
}

/* Sends a batch to that tile's scratch memory. */
static void start_batch(struct mesh* mesh, const struct boot_job* job, uint64_t receiver,
                        uint64_t number, uint64_t to) {
  const struct mesh_transfer transfer = {
      .destination = receiver + half(job, to),
      .source = mesh->boot.self + job->data + number * batch_of(job),
      .bytes = (uint32_t)batch_bytes(job, number),
      .op = MESH_DMA_COPY,
      .mask = 0,
  };
  mesh_dma_start(&mesh->dma, &transfer);
}

/* Adds what is in that half of the scratch memory. */
static enum status add_batch(struct mesh* mesh, const struct boot_job* job, uint64_t number,
                             uint64_t from) {
  return vector_reduce(&mesh->vector, mesh->boot.self + job->data + number * batch_of(job),
                       mesh->boot.self + half(job, from),
                       batch_bytes(job, number) / job->element_bytes, job->element_bytes);
}

/* Where a tile stands in a line, as the root sees it (mesh_reduce_seq), and its coordinate there.
 */
static uint32_t standing_in(uint32_t coordinate, uint32_t root, uint32_t length) {
  if (is_power_of_two(length)) return coordinate ^ root;
  return (coordinate + length - root) % length;
}
static uint32_t coordinate_of(uint32_t standing, uint32_t root, uint32_t length) {
  if (is_power_of_two(length)) return standing ^ root;
  return (standing + root) % length;
}

/* Both in its row and in its column. */
struct standing {
  uint32_t root_x, root_y;
  uint32_t x, y; /* of this tile */
};

static struct standing standing_of(const struct mesh* mesh, const struct boot_job* job) {
  const uint32_t root_x = job->root % mesh->columns, root_y = job->root / mesh->columns;
  const struct standing own = {
      .root_x = root_x,
      .root_y = root_y,
      .x = standing_in(mesh->x, root_x, mesh->columns),
      .y = standing_in(mesh->y, root_y, mesh->rows),
  };
  return own;
}

static uint64_t tile_at(const struct mesh* mesh, const struct standing* own, uint32_t x,
                        uint32_t y) {
  return mesh_tile(mesh, coordinate_of(x, own->root_x, mesh->columns),
                   coordinate_of(y, own->root_y, mesh->rows));
}

/* What a tile does at one level of the tree. */
struct pairing {
  uint64_t receiver; /* that we send to; 0: we do not */
  int receives;
  uint64_t first; /* half of the scratch memory for the first batch */
};

/* One batch is sent while the one before is added; a barrier after each (collective NoC Fig 6b). */
static enum status reduce_level(struct mesh* mesh, const struct boot_job* job,
                                const struct pairing* pair) {
  const uint64_t batches = batches_of(job);
  for (uint64_t number = 0; number <= batches; ++number) {
    enum status status = STATUS_OK;
    if (number < batches && pair->receiver != 0) {
      start_batch(mesh, job, pair->receiver, number, pair->first + number);
      status = mesh_wait_sent(mesh, job);
    }
    if (status == STATUS_OK && number > 0 && pair->receives)
      status = add_batch(mesh, job, number - 1, pair->first + number - 1);
    if (status != STATUS_OK) return status;
    if (number < batches) mesh_next_step(mesh);
  }
  return STATUS_OK;
}

/* A level begins in the half that the last batch of the one before did not use, because that batch
 * may still be added. */
enum status mesh_reduce_tree(struct mesh* mesh, const struct boot_job* job) {
  const struct standing own = standing_of(mesh, job);
  enum status status = STATUS_OK;
  struct pairing pair = {0, 0, 0};
  for (uint32_t d = 1; d < mesh->columns && status == STATUS_OK; d *= 2) {
    pair.receives = own.x % (2 * d) == 0 && own.x + d < mesh->columns;
    pair.receiver = own.x % (2 * d) == d ? tile_at(mesh, &own, own.x - d, own.y) : 0;
    status = reduce_level(mesh, job, &pair);
    pair.first += batches_of(job);
  }
  for (uint32_t d = 1; d < mesh->rows && status == STATUS_OK; d *= 2) {
    pair.receives = own.x == 0 && own.y % (2 * d) == 0 && own.y + d < mesh->rows;
    pair.receiver = own.x == 0 && own.y % (2 * d) == d ? tile_at(mesh, &own, 0, own.y - d) : 0;
    status = reduce_level(mesh, job, &pair);
    pair.first += batches_of(job);
  }
  return status;
}

/* A tile's place in a line whose data goes to the first tile. */
struct line {
  uint64_t length;
  int is_member; /* else the tile keeps in step */
  uint64_t hops; /* from the far end */
  uint64_t next; /* the tile before this one in the line; 0 for the first */
};

/* What the source's loop over a line takes beyond that of mesh_next_step(): who sends and who adds
 * are two conditions in place of one, 4 instructions; branches on the kind of core, 3; the barrier
 * of the cluster's own cores behind that of the clusters, 3 (pulp-platform/picobello,
 * sw/snitch/tests/reduction_benchmark.c, dma_reduction_seq and global_hw_barrier). */
enum { LINE_INSTRUCTIONS = 10 };

static void next_step_of_line(struct mesh* mesh) {
  mesh_next_step(mesh);
  hal_spend(LINE_INSTRUCTIONS);
}

/* The tile `hops` from the far end sends batch b in step 2 hops + b. One step before, it adds the
 * batch that its neighbor sent in step 2 hops + b - 2. */
static enum status reduce_line(struct mesh* mesh, const struct boot_job* job,
                               const struct line* line) {
  const uint64_t batches = batches_of(job);
  const uint64_t steps = line->length > 1 ? 2 * (line->length - 2) + batches + 1 : 0;
  for (uint64_t step = 0; step < steps; ++step) {
    const uint64_t number = step - 2 * line->hops; /* huge before its turn */
    const int sends = line->is_member && line->next != 0 && number < batches;
    if (sends) start_batch(mesh, job, line->next, number, number);
    if (line->is_member && line->hops > 0 && number + 1 < batches) {
      const enum status status = add_batch(mesh, job, number + 1, number + 1);
      if (status != STATUS_OK) return status;
    }
    if (sends) {
      const enum status status = mesh_wait_sent(mesh, job);
      if (status != STATUS_OK) return status;
    }
    if (step + 1 < steps) next_step_of_line(mesh);
  }
  return STATUS_OK;
}

enum status mesh_reduce_seq(struct mesh* mesh, const struct boot_job* job) {
  const struct standing own = standing_of(mesh, job);
  const struct line row = {
      .length = mesh->columns,
      .is_member = 1,
      .hops = mesh->columns - 1 - own.x,
      .next = own.x > 0 ? tile_at(mesh, &own, own.x - 1, own.y) : 0,
  };
  const enum status status = reduce_line(mesh, job, &row);
  if (status != STATUS_OK || mesh->rows == 1) return status;
  if (mesh->columns > 1) next_step_of_line(mesh);
  const struct line column = {
      .length = mesh->rows,
      .is_member = own.x == 0,
      .hops = mesh->rows - 1 - own.y,
      .next = own.y > 0 ? tile_at(mesh, &own, 0, own.y - 1) : 0,
  };
  return reduce_line(mesh, job, &column);
}
