/* Which algorithm fits a job best, as a collective library chooses by size. Firmware and platform
 * share the choice: the platform has to know what the result must be.
 */
#ifndef HEDDLE_COLLECTIVES_SELECT_H
#define HEDDLE_COLLECTIVES_SELECT_H

#include <stdint.h>

#include "hal/boot.h"

/* Measured with yaml/ring_allreduce.yaml: 2 (N-1) messages of the direct algorithm go in two steps,
 * those of the ring in as many steps; with 4, 6 and 8 ranks the ring is ahead above about 3, 5 and
 * 7 MiB. Measured with yaml/scin_dgx8.yaml: quantization pays from 128 KiB on. */
#define SELECT_RING_BYTES_PER_RANK (UINT64_C(1) << 20)
#define SELECT_QUANTIZED_BYTES (UINT64_C(128) << 10)

/* Barriers and point-to-point tests do not: they have algorithms of their own. */
static inline int moves_data(const struct boot_job* job) {
  return job->collective <= BOOT_BROADCAST || job->collective == BOOT_REDUCE ||
         job->collective == BOOT_ALLTOALL;
}

/* One bit a collective that the algorithm can do; what moves no data is done alike by all. */
static inline uint32_t collectives_by(uint32_t algorithm) {
  const uint32_t allreduce = 1U << BOOT_ALLREDUCE, reduce = 1U << BOOT_REDUCE,
                 broadcast = 1U << BOOT_BROADCAST,
                 chunks = 1U << BOOT_REDUCE_SCATTER | 1U << BOOT_ALLGATHER,
                 barrier = 1U << BOOT_BARRIER,
                 point_to_point = 1U << BOOT_P2P_LATENCY | 1U << BOOT_P2P_BANDWIDTH,
                 no_data = barrier | point_to_point,
                 gemm = 1U << BOOT_SUMMA | 1U << BOOT_FUSED_CONCAT_LINEAR;
  switch (algorithm) {
    case BOOT_RING:
      return no_data | allreduce | chunks | broadcast;
    case BOOT_NVLS:
      return no_data | allreduce | chunks;
    case BOOT_SCIN:
      return no_data | allreduce | chunks | broadcast | reduce;
    case BOOT_DIRECT:
    case BOOT_HALVING_DOUBLING:
    case BOOT_SCIN_INQ:
      return no_data | allreduce;
    case BOOT_MESH_HW:
    case BOOT_MESH_TREE:
      return barrier | broadcast | reduce | allreduce | gemm;
    case BOOT_MESH_SEQ:
      return barrier | broadcast | reduce | allreduce;
    case BOOT_MESH_NAIVE:
      return barrier | broadcast | reduce | allreduce | 1U << BOOT_ALLTOALL;
    default:
      return 0;
  }
}

/* By the tiles of a mesh, whose firmware knows no others. */
static inline int is_on_mesh(uint32_t algorithm) {
  return algorithm >= BOOT_MESH_HW && algorithm <= BOOT_MESH_TREE;
}

static inline int is_algorithm_for(uint32_t algorithm, uint32_t collective) {
  return collective <= BOOT_ALLTOALL && (collectives_by(algorithm) >> collective & 1) != 0;
}

/* Whether in-switch accelerators do the job. */
static inline int is_by_accelerators(const struct boot_job* job) {
  return moves_data(job) && (job->algorithm == BOOT_SCIN || job->algorithm == BOOT_SCIN_INQ);
}

static inline uint32_t select_by_accelerators(const struct boot_job* job, uint64_t bytes) {
  const int is_quantizable = job->collective == BOOT_ALLREDUCE && job->op == BOOT_SUM &&
                             job->dtype != BOOT_INT32 && job->quant_bits != 0;
  return is_quantizable && bytes >= SELECT_QUANTIZED_BYTES ? BOOT_SCIN_INQ : BOOT_SCIN;
}

/* What the job asks for, or with BOOT_AUTO the fastest that the hardware of the boot block offers;
 * where it offers none, one that is_algorithm_for denies. */
static inline uint32_t select_algorithm(const struct boot_block* boot, const struct boot_job* job) {
  const uint64_t bytes = job->elements * job->element_bytes;
  const int has_multicast = boot->multimem != 0 && boot->multicast != 0;
  if (job->algorithm != BOOT_AUTO) return job->algorithm;
  if (!moves_data(job)) return BOOT_RING;
  if (boot->isas != 0) return select_by_accelerators(job, bytes);
  if (has_multicast && is_algorithm_for(BOOT_NVLS, job->collective)) return BOOT_NVLS;
  if (job->collective != BOOT_ALLREDUCE) return BOOT_RING;
  return bytes < boot->ranks * SELECT_RING_BYTES_PER_RANK ? BOOT_DIRECT : BOOT_RING;
}

#endif
