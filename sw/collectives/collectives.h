/* The collectives. All ranks run the same jobs in the same order; a job starts at any rank only
 * after the one before has ended at all of them. Each returns when this rank has all it is to
 * receive. A single rank has nothing to do.
 */
#ifndef HEDDLE_COLLECTIVES_H
#define HEDDLE_COLLECTIVES_H

#include "collectives/communicator.h"
#include "drivers/status.h"
#include "hal/boot.h"

#ifdef __cplusplus
extern "C" {
#endif

/* From job->root along the ring, pipelined by pieces of up to slot_bytes. */
enum status ring_broadcast(struct communicator* comm, const struct boot_job* job);

/* To job->root, along the ring from the rank behind it; partial sums replace the vectors of all. */
enum status ring_reduce(struct communicator* comm, const struct boot_job* job);

/* All in one step each way, or all-to-all in one. */
enum status direct_allreduce(struct communicator* comm, const struct boot_job* job);
enum status direct_alltoall(struct communicator* comm, const struct boot_job* job);

/* On a torus of job->sides (collectives/torus.h): by rings, and along a tree to its neighbors. */
enum status torus_rings(struct communicator* comm, const struct boot_job* job);
enum status torus_broadcast(struct communicator* comm, const struct boot_job* job);

/* Rank 0 writes its data to rank 1, which writes it back, so many iterations. Others do nothing. */
enum status point_to_point_latency(struct communicator* comm, const struct boot_job* job);

/* Rank 0 writes its data to rank 1 so many times, back to back, and announces the last. */
enum status point_to_point_bandwidth(struct communicator* comm, const struct boot_job* job);

/* The algorithm of the job (collectives/algorithms.h). */
enum status run_collective(struct communicator* comm, const struct boot_job* job);

/* Logs that the job's algorithm does not do its collective; returns STATUS_UNSUPPORTED. */
enum status collective_unsupported(const struct boot_job* job);

/* What belongs to the kernels before and after a collective, not to it: where operands are
 * quantized, the producer writes integers and scales, and the consumer reads them (SCIN 3.4, item
 * 4); by aggregation trees, a rank looks up where it pushes. */
enum status produce_operands(struct communicator* comm, const struct boot_job* job);
enum status consume_results(struct communicator* comm, const struct boot_job* job);

#ifdef __cplusplus
}
#endif

#endif
