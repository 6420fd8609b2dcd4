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

/* Reduce-scatter and all-gather around the ring, pipelined by pieces of up to slot_bytes. */
enum status ring_allreduce(struct communicator* comm, const struct boot_job* job);

/* Leaves chunk (rank + 1) mod ranks complete, at its place in the data. The other chunks hold
 * partial sums. */
enum status ring_reduce_scatter(struct communicator* comm, const struct boot_job* job);

/* Rank r contributes chunk r, at its place in the data. */
enum status ring_allgather(struct communicator* comm, const struct boot_job* job);

/* Every rank sends chunk c to rank c, which reduces it and sends the result to all. */
enum status direct_allreduce(struct communicator* comm, const struct boot_job* job);

/* Exchanges halves, quarters, ... with ever closer partners, then back. A power of two of ranks. */
enum status halving_doubling_allreduce(struct communicator* comm, const struct boot_job* job);

/* In-network, from the accelerators (NVLS). The region at boot.multicast maps the data of exactly
 * these ranks. Each begins and ends with a barrier of multicast atomics: all data is there before
 * the first load, all stores are performed before anybody goes on.
 * All-reduce: each rank loads its chunk reduced and stores the result to all. */
enum status nvls_allreduce(struct communicator* comm, const struct boot_job* job);

/* Leaves chunk `rank` complete, at its place in the data; the rest is as it was. */
enum status nvls_reduce_scatter(struct communicator* comm, const struct boot_job* job);

/* Rank r stores chunk r to all, at its place in the data. */
enum status nvls_allgather(struct communicator* comm, const struct boot_job* job);

/* From job->root along the ring, pipelined by pieces of up to slot_bytes. */
enum status ring_broadcast(struct communicator* comm, const struct boot_job* job);

/* Dissemination: in round j, a rank tells the one 2^j ahead. */
enum status dissemination_barrier(struct communicator* comm);

/* Rank 0 writes its data to rank 1, which writes it back, so many iterations. Others do nothing. */
enum status point_to_point_latency(struct communicator* comm, const struct boot_job* job);

/* Rank 0 writes its data to rank 1 so many times, back to back, and announces the last. */
enum status point_to_point_bandwidth(struct communicator* comm, const struct boot_job* job);

/* Whichever of them the job asks for. */
enum status run_collective(struct communicator* comm, const struct boot_job* job);

/* What belongs to the kernels before and after a collective, not to it: where operands are
 * quantized, the producer writes integers and scales, and the consumer reads them (SCIN 3.4, item
 * 4). */
enum status produce_operands(struct communicator* comm, const struct boot_job* job);
enum status consume_results(struct communicator* comm, const struct boot_job* job);

#ifdef __cplusplus
}
#endif

#endif
