#include "collectives/mesh_alltoall.h"

#include "collectives/mesh_barrier.h"

/* Each rank begins with the one behind it, so that no two send to the same rank at a time. Chunks
 * arrive in the scratch memory, because what they replace may not have left yet. */
enum status mesh_alltoall(struct mesh* mesh, const struct boot_job* job) {
  const uint32_t ranks = mesh->boot.ranks, own = mesh->boot.rank;
  const uint64_t bytes = job->elements * job->element_bytes, chunk = bytes / ranks;
  if (job->elements % ranks != 0) return STATUS_BAD_JOB;
  for (uint32_t behind = 0; behind < ranks; ++behind) {
    const uint32_t to = (own + behind) % ranks;
    const uint64_t window = mesh_tile(mesh, to % mesh->columns, to / mesh->columns);
    const enum status status = mesh_copy(mesh, window + job->scratch + own * chunk,
                                         mesh->boot.self + job->data + to * chunk, chunk);
    if (status != STATUS_OK) return status;
  }
  mesh_next_step(mesh); /* all chunks are here */
  return mesh_copy(mesh, mesh->boot.self + job->data, mesh->boot.self + job->scratch, bytes);
}
