/* SUMMA (collective NoC Fig 8a): every rank owns a tile of C. In each step along K, row y needs a
 * tile of A and column x one of B, which come from the memory tiles while the step before is
 * multiplied.
 */
#ifndef HEDDLE_KERNELS_SUMMA_H
#define HEDDLE_KERNELS_SUMMA_H

#include "kernels/gemm_rank.h"

#ifdef __cplusplus
extern "C" {
#endif

enum status summa(struct gemm* gemm, const struct boot_job* job);

#ifdef __cplusplus
}
#endif

#endif
