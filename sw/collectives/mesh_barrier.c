#include "collectives/mesh_barrier.h"

#include "hal/hal.h"
#include "regs/network_interface_regs.h"

/* Offsets in the counters of rank 0, of the mesh or of a line. */
enum { BARRIER_WORD = 0, BARRIER_COUNTER = 8 /* + 8 * enum boot_lines */ };

static uint64_t central(const struct mesh* mesh, uint64_t offset) {
  return mesh->base + (mesh->boot.flags - mesh->boot.self) + offset;
}

void mesh_barrier(struct mesh* mesh) {
  if (mesh->has_masks)
    hal_write64(mesh->alias + central(mesh, BARRIER_WORD), 1);
  else
    mesh_software_barrier(mesh);
  hal_fence();
}

/* The source's loop, 10 instructions: two counters and four comparisons before the next transfer,
 * two writes of the collective to use around the barrier's store, a branch, the clock (collective
 * NoC 4.2.2, its published benchmark). */
enum { STEP_INSTRUCTIONS = 10 };

void mesh_next_step(struct mesh* mesh) {
  mesh_barrier(mesh);
  hal_spend(STEP_INSTRUCTIONS);
}

static void release_by_multicast(const struct mesh* mesh, uint64_t interrupt) {
  const uint64_t operation = mesh->registers + NETWORK_INTERFACE_OPERATION;
  hal_write32(operation, NETWORK_INTERFACE_OPERATION_OP_MULTICAST);
  hal_write32(mesh->alias + mesh->base + interrupt, 1);
  hal_write32(operation, NETWORK_INTERFACE_OPERATION_OP_LSB_AND);
}

/* Rank 0 reaches its own registers where they are, not over the mesh. */
static void release_each(const struct mesh* mesh, uint64_t interrupt) {
  for (uint32_t rank = 1; rank < mesh->boot.ranks; ++rank)
    hal_write32(mesh_tile(mesh, rank % mesh->columns, rank / mesh->columns) + interrupt, 1);
  hal_write32(mesh->boot.self + interrupt, 1);
}

void mesh_software_barrier(struct mesh* mesh) {
  const uint64_t registers = mesh->registers;
  const uint64_t counter = central(mesh, BARRIER_COUNTER + 8 * mesh->lines);
  const uint32_t all = ++mesh->barriers[mesh->lines] * mesh->boot.ranks;
  hal_post_add64(counter, 1);
  if (mesh->boot.rank == 0) {
    if (hal_poll_reached32(counter, all, mesh->boot.timeout_ns) != 0) {
      hal_log("mesh: not all ranks came to a barrier, but",
              hal_read32(counter) - (all - mesh->boot.ranks));
      mesh->barrier_status = STATUS_TIMEOUT;
      return;
    }
    /* The same offset in every tile. */
    const uint64_t interrupt = registers - mesh->boot.self + NETWORK_INTERFACE_INTERRUPT;
    if (mesh->has_masks)
      release_by_multicast(mesh, interrupt);
    else
      release_each(mesh, interrupt);
  }
  hal_wait_for_interrupt();
  hal_write32(registers + NETWORK_INTERFACE_INTERRUPT, 0);
}
