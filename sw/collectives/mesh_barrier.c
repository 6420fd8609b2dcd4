#include "collectives/mesh.h"
#include "hal/hal.h"
#include "regs/network_interface_regs.h"

/* Offsets in the counters of rank 0. */
enum { BARRIER_WORD = 0, BARRIER_COUNTER = 8 };

static uint64_t central(const struct mesh* mesh, uint64_t offset) {
  return mesh->base + (mesh->boot.flags - mesh->boot.self) + offset;
}

void mesh_barrier(struct mesh* mesh) {
  hal_write64(mesh->alias + central(mesh, BARRIER_WORD), 1);
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

void mesh_software_barrier(struct mesh* mesh) {
  const uint64_t registers = mesh->registers;
  const uint32_t all = ++mesh->barriers * mesh->boot.ranks;
  hal_post_add64(central(mesh, BARRIER_COUNTER), 1);
  if (mesh->boot.rank == 0) {
    hal_poll_reached32(central(mesh, BARRIER_COUNTER), all, mesh->boot.timeout_ns);
    const uint64_t offset = registers - mesh->boot.self; /* the same in every tile */
    hal_write32(registers + NETWORK_INTERFACE_OPERATION, NETWORK_INTERFACE_OPERATION_OP_MULTICAST);
    hal_write32(mesh->alias + mesh->base + offset + NETWORK_INTERFACE_INTERRUPT, 1);
    hal_write32(registers + NETWORK_INTERFACE_OPERATION, NETWORK_INTERFACE_OPERATION_OP_LSB_AND);
  }
  hal_wait_for_interrupt();
  hal_write32(registers + NETWORK_INTERFACE_INTERRUPT, 0);
}
