/* Collectives on a mesh of tiles: by the routers (hw), or by copies between tiles that hardware
 * barriers keep in step. All ranks run the same jobs in the same order. The root of a reduction,
 * and of a broadcast by the routers, is job->root; software broadcasts from rank 0. Where a job is
 * one of rows or columns (mesh_lines.h), each of these lines has a collective of its own at the
 * same time, and ranks, roots and chunks are those of a line.
 *
 * A job is: mesh_prepare(), then the start mark, mesh_collective(), the end mark, mesh_release().
 * A rank's end mark says that its engine has handed over what it sends, as the source's benchmarks
 * stop their clocks; the rank may use what others sent it after the release, which waits for the
 * answers to its own transfers and is a barrier.
 *
 * Programs that take the steps of a job one by one find them in the headers that are included here.
 */
#ifndef HEDDLE_COLLECTIVES_MESH_H
#define HEDDLE_COLLECTIVES_MESH_H

#include <stdint.h>

#include "collectives/mesh_barrier.h"
#include "collectives/mesh_broadcast.h"
#include "collectives/mesh_reduce.h"
#include "collectives/mesh_tiles.h"
#include "drivers/status.h"
#include "hal/boot.h"

#ifdef __cplusplus
extern "C" {
#endif

enum status mesh_prepare(struct mesh* mesh, const struct boot_job* job);
enum status mesh_collective(struct mesh* mesh, const struct boot_job* job);
enum status mesh_release(struct mesh* mesh, const struct boot_job* job);
/* All of it, with the marks. */
enum status mesh_run_job(struct mesh* mesh, const struct boot_job* job, uint32_t number);

/* The broadcast or reduction of the job's algorithm. */
enum status mesh_broadcast(struct mesh* mesh, const struct boot_job* job);
enum status mesh_reduce(struct mesh* mesh, const struct boot_job* job);

/* Leaves the sum at all ranks: a reduction to the root, which passes it on as a broadcast does. */
enum status mesh_allreduce(struct mesh* mesh, const struct boot_job* job);

#ifdef __cplusplus
}
#endif

#endif
