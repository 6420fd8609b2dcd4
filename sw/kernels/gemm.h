/* GEMMs on a mesh of tiles, FP64: summa.h and fused_concat_linear.h. Each has two versions:
 * collectives by the routers (BOOT_MESH_HW), or copies between tiles in binary trees
 * (BOOT_MESH_TREE), which hardware barriers keep in step.
 *
 * A job is: gemm_prepare(), then the start mark, gemm_run(), the end mark, gemm_release().
 */
#ifndef HEDDLE_KERNELS_GEMM_H
#define HEDDLE_KERNELS_GEMM_H

#include "kernels/gemm_rank.h"

#ifdef __cplusplus
extern "C" {
#endif

enum status gemm_prepare(struct gemm* gemm, const struct boot_job* job);
enum status gemm_run(struct gemm* gemm, const struct boot_job* job);
void gemm_release(struct gemm* gemm);

#ifdef __cplusplus
}
#endif

#endif
