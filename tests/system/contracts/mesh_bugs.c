/* Drivers of a tile's DMA engine with one bug each, on a mesh. The line that is to blame says so:
 * bug NUMBER. The job carries the number as its count of elements. */
#include "collectives/mesh.h"
#include "hal/hal.h"
#include "regs/mesh_dma_regs.h"
#include "regs/vector_regs.h"

#define LONG_COPY 0x4000

struct bench {
  struct mesh mesh;
  uint64_t own;   /* of the tile's memory, free */
  uint64_t other; /* the same in another tile */
};

static void start(struct bench* on, uint64_t destination, uint64_t source) {
  const struct mesh_transfer transfer = {destination, source, LONG_COPY, MESH_DMA_COPY, 0};
  mesh_dma_set(&on->mesh.dma, &transfer);
  hal_fence();
  mesh_dma_go(&on->mesh.dma);
}

static int wait(const struct bench* on) {
  return (int)mesh_dma_wait(&on->mesh.dma);
}

static int source_reused_in_flight(struct bench* on) {
  start(on, on->other, on->own);
  hal_write64(on->own + LONG_COPY - 8, 1); /* bug 130 */
  return wait(on);
}

static int result_read_early(struct bench* on) {
  start(on, on->own, on->other);
  (void)hal_read64(on->own + 64); /* bug 131 */
  return wait(on);
}

static int result_cleared_too_late(struct bench* on) {
  start(on, on->own, on->other);
  hal_write64(on->own, 0); /* bug 132 */
  return wait(on);
}

/* Adds what the copy has not brought yet. */
static int sum_of_a_copy_under_way(struct bench* on) {
  start(on, on->own, on->other);
  const uint64_t vector = on->mesh.vector.registers;
  hal_write64(vector + VECTOR_DESTINATION, on->own + LONG_COPY);
  hal_write64(vector + VECTOR_SOURCE, on->own);
  hal_write32(vector + VECTOR_ELEMENTS, 8);
  hal_write32(vector + VECTOR_OPERATION, 0);
  hal_fence();
  hal_write32(vector + VECTOR_START, 1); /* bug 133 */
  return wait(on);
}

static int leaves_with_a_copy_outstanding(struct bench* on) {
  const struct mesh_transfer transfer = {on->own, on->other, LONG_COPY, MESH_DMA_COPY, 0};
  mesh_dma_set(&on->mesh.dma, &transfer);
  hal_fence();
  hal_write32(on->mesh.dma.registers + MESH_DMA_START, 1); /* bug 134 */
  hal_exit(0);
}

/* Waits for the first of two transfers, and reads what the second brings. */
static int waits_for_one_too_few(struct bench* on) {
  start(on, on->own, on->other);
  start(on, on->own + LONG_COPY, on->other);
  (void)mesh_dma_wait_for(&on->mesh.dma, 1);
  (void)hal_read64(on->own + LONG_COPY); /* bug 135 */
  return wait(on);
}

static int run_bug(struct bench* on, uint64_t number) {
  switch (number) {
    case 130:
      return source_reused_in_flight(on);
    case 131:
      return result_read_early(on);
    case 132:
      return result_cleared_too_late(on);
    case 133:
      return sum_of_a_copy_under_way(on);
    case 134:
      return leaves_with_a_copy_outstanding(on);
    case 135:
      return waits_for_one_too_few(on);
    default:
      return 99;
  }
}

int main(void) {
  struct bench bench;
  struct boot_job job;
  if (mesh_open(&bench.mesh) != STATUS_OK) return 98;
  bench.own = bench.mesh.boot.self + 0x4000;
  bench.other = mesh_tile(&bench.mesh, 1, 0) + 0x4000;
  if (hal_next_job() == HAL_NO_JOB) return 0;
  if (bench.mesh.boot.rank == 0) {
    hal_read_block(&job, bench.mesh.boot.job, sizeof job);
    const int code = run_bug(&bench, job.elements);
    if (code != 0) return code;
  }
  hal_mark(HAL_MARK_START, 0);
  hal_mark(HAL_MARK_END, 0);
  return 0;
}
