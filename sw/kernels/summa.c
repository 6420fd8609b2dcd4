#include "kernels/summa.h"

#include "collectives/algorithms.h"
#include "hal/hal.h"
#include "kernels/gemm_layout.h"
#include "regs/network_interface_regs.h"

/* Words behind boot_block.flags of each rank, behind those of barriers over all ranks. */
enum {
  ROW_WORD = 64, /* barriers of a row meet here in its first rank, */
  COLUMN_WORD = 72,
  READY = 80, /* steps of which A (B: + 8) has arrived */
};

/* The ranks that share a tile: a row shares those of A, a column those of B. */
struct line {
  uint64_t mask;   /* of addresses */
  uint64_t stride; /* from one window to the next */
  uint32_t length;
  uint32_t index; /* of this rank */
  uint32_t root;  /* index of the rank next to the memory tile */
  uint64_t word;  /* barriers of the line */
  uint64_t flag;  /* offset in READY */
  uint64_t tile;  /* enum gemm_tile */
  uint64_t first; /* of the line's tiles in memory */
};

static struct line row_of(const struct gemm* gemm, const struct boot_job* job) {
  const struct mesh* mesh = gemm->mesh;
  const uint64_t flags = mesh->boot.flags - mesh->boot.self;
  const struct line row = {
      .mask = (mesh->columns - UINT64_C(1)) * mesh->tile_size,
      .stride = mesh->tile_size,
      .length = mesh->columns,
      .index = mesh->x,
      .root = 0,
      .word = mesh_tile(mesh, 0, mesh->y) + flags + ROW_WORD,
      .flag = 0,
      .tile = GEMM_A,
      .first = gemm_memory_of(gemm, job, mesh->y, 0),
  };
  return row;
}

static struct line column_of(const struct gemm* gemm, const struct boot_job* job) {
  const struct mesh* mesh = gemm->mesh;
  const uint64_t flags = mesh->boot.flags - mesh->boot.self;
  const uint32_t root = summa_row_of_column(mesh->x, mesh->rows);
  const uint64_t before = summa_tiles_before_column(job, mesh->x, mesh->rows);
  const struct line column = {
      .mask = (mesh->rows - UINT64_C(1)) * mesh->columns * mesh->tile_size,
      .stride = mesh->columns * mesh->tile_size,
      .length = mesh->rows,
      .index = mesh->y,
      .root = root,
      .word = mesh_tile(mesh, mesh->x, root) + flags + COLUMN_WORD,
      .flag = 8,
      .tile = GEMM_B,
      .first = gemm_memory_of(gemm, job, root, before),
  };
  return column;
}

/* The core waits for it with the next fence. */
static void enter_barrier(const struct mesh* mesh, const struct line* line) {
  hal_write64(mesh->registers + NETWORK_INTERFACE_MASK, line->mask);
  hal_write64(mesh->alias + line->word, 1);
}

static void barrier(const struct mesh* mesh, const struct line* line) {
  enter_barrier(mesh, line);
  hal_fence();
}

static uint64_t buffer(const struct gemm* gemm, const struct boot_job* job, const struct line* line,
                       uint32_t step) {
  return gemm_tile_address(gemm, job, line->tile + step % 2);
}

static uint64_t in_memory(const struct boot_job* job, const struct line* line, uint32_t step) {
  return line->first + step * gemm_tile_bytes(job);
}

static void start_multicast(struct gemm* gemm, const struct boot_job* job, const struct line* line,
                            uint32_t step) {
  const struct mesh_transfer tile = {
      .destination = buffer(gemm, job, line, step),
      .source = in_memory(job, line, step),
      .bytes = (uint32_t)gemm_tile_bytes(job),
      .op = MESH_DMA_MULTICAST,
      .mask = line->mask,
  };
  mesh_dma_start(&gemm->mesh->dma, &tile);
}

/* A word to the whole line, when its transfer is answered: the tile is at all of them. */
static enum status announce(struct gemm* gemm, const struct line* line, uint32_t step,
                            uint32_t transfers_left) {
  struct mesh* mesh = gemm->mesh;
  const uint64_t registers = mesh->registers;
  const enum status status = mesh_dma_wait_for(&mesh->dma, transfers_left);
  if (status != STATUS_OK) return status;
  hal_write64(registers + NETWORK_INTERFACE_MASK, line->mask);
  hal_write32(registers + NETWORK_INTERFACE_OPERATION, NETWORK_INTERFACE_OPERATION_OP_MULTICAST);
  hal_write64(mesh->alias + mesh->boot.flags + READY + line->flag,
              gemm->steps + step + UINT64_C(1));
  hal_write32(registers + NETWORK_INTERFACE_OPERATION, NETWORK_INTERFACE_OPERATION_OP_LSB_AND);
  return STATUS_OK;
}

/* Roots send when their whole line has done with the buffer: all but the first step wait for it. A
 * router holds up to four flits for that, address and word of a row's barrier and of a column's. */
static enum status distribute_hw(struct gemm* gemm, const struct boot_job* job, uint32_t step) {
  struct mesh* mesh = gemm->mesh;
  const struct line row = row_of(gemm, job), column = column_of(gemm, job);
  const int sends_a = row.index == row.root, sends_b = column.index == column.root;
  enum status status = STATUS_OK;
  if (step > 0) {
    enter_barrier(mesh, &row);
    enter_barrier(mesh, &column);
    if (sends_a || sends_b) hal_fence();
  }
  if (sends_a) start_multicast(gemm, job, &row, step);
  if (sends_b) start_multicast(gemm, job, &column, step);
  if (sends_a) status = announce(gemm, &row, step, sends_b ? 1 : 0);
  if (sends_b && status == STATUS_OK) status = announce(gemm, &column, step, 0);
  return status;
}

static enum status await_step(const struct gemm* gemm, uint32_t step) {
  const struct boot_block* boot = &gemm->mesh->boot;
  for (uint64_t flag = 0; flag <= 8; flag += 8) {
    const uint64_t arrived = boot->flags + READY + flag;
    if (hal_poll_reached32(arrived, gemm->steps + step + 1, boot->timeout_ns) == 0) continue;
    hal_log(flag == 0 ? "summa: no tile of A for step" : "summa: no tile of B for step", step);
    return STATUS_TIMEOUT;
  }
  return STATUS_OK;
}

/* Over half the line, a quarter, ...; distances from the root are by XOR, so that any can be it. */
static enum status copy_along(struct gemm* gemm, const struct boot_job* job,
                              const struct line* line, uint32_t step) {
  const uint32_t place = line->index ^ line->root;
  const uint64_t own = buffer(gemm, job, line, step);
  enum status status = STATUS_OK;
  if (place == 0) status = gemm_fetch(gemm, job, own, in_memory(job, line, step));
  for (uint32_t d = line->length / 2; d > 0 && status == STATUS_OK; d /= 2) {
    const uint32_t from = line->index ^ d;
    barrier(gemm->mesh, line);
    if (place % (2 * d) == d)
      status = gemm_fetch(gemm, job, own, own + (from - (uint64_t)line->index) * line->stride);
  }
  return status;
}

static enum status distribute_tree(struct gemm* gemm, const struct boot_job* job, uint32_t step) {
  const struct line row = row_of(gemm, job), column = column_of(gemm, job);
  if (step > 0) {
    enter_barrier(gemm->mesh, &row);
    barrier(gemm->mesh, &column);
  }
  const enum status status = copy_along(gemm, job, &row, step);
  return status == STATUS_OK ? copy_along(gemm, job, &column, step) : status;
}

static enum status distribute(struct gemm* gemm, const struct boot_job* job, uint32_t step) {
  return job->algorithm == BOOT_MESH_HW ? distribute_hw(gemm, job, step)
                                        : distribute_tree(gemm, job, step);
}

static enum status start_step(struct gemm* gemm, const struct boot_job* job, uint32_t step) {
  const struct gemm_operation operation = {
      gemm_tile_address(gemm, job, GEMM_C), gemm_tile_address(gemm, job, GEMM_A + step % 2),
      gemm_tile_address(gemm, job, GEMM_B + step % 2), step > 0};
  const enum status status = job->algorithm == BOOT_MESH_HW ? await_step(gemm, step) : STATUS_OK;
  if (status == STATUS_OK) gemm_engine_start(&gemm->engine, &operation);
  return status;
}

/* While a step is multiplied the tiles of the next come. */
enum status summa(struct gemm* gemm, const struct boot_job* job) {
  enum status status = distribute(gemm, job, 0);
  for (uint32_t step = 0; step < job->iterations && status == STATUS_OK; ++step) {
    status = start_step(gemm, job, step);
    if (status == STATUS_OK && step + 1 < job->iterations) status = distribute(gemm, job, step + 1);
    if (status == STATUS_OK) status = gemm_engine_wait(&gemm->engine);
  }
  gemm->steps += job->iterations;
  hal_write64(gemm->mesh->registers + NETWORK_INTERFACE_MASK, mesh_everybody(gemm->mesh));
  hal_fence();
  return status;
}
