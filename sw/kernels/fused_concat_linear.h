/* FusedConcatLinear (collective NoC Fig 8b): every rank has its part of K, a tile wide. It
 * multiplies its A, which is in its L1, by its B from the memory tile of its row, slice by slice;
 * the sum of all products ends in rank 0.
 */
#ifndef HEDDLE_KERNELS_FUSED_CONCAT_LINEAR_H
#define HEDDLE_KERNELS_FUSED_CONCAT_LINEAR_H

#include "kernels/gemm_rank.h"

#ifdef __cplusplus
extern "C" {
#endif

enum status fused_concat_linear(struct gemm* gemm, const struct boot_job* job);

#ifdef __cplusplus
}
#endif

#endif
