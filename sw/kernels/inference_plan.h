/* What the platform tells a rank of a step of inference, behind the job of its all-reduces: which
 * kernels run before, in, and after the decoder layers. Little-endian, natural alignment, no
 * padding.
 */
#ifndef HEDDLE_INFERENCE_PLAN_H
#define HEDDLE_INFERENCE_PLAN_H

#include <stdint.h>

/* From the job of the all-reduces (boot_block.job). */
#define INFERENCE_PLAN_OFFSET UINT32_C(0x100)

/* Lists of kernels, in the order in which they run; those of a layer run once a layer, each
 * followed by an all-reduce. An empty list does not run. */
enum inference_list {
  INFERENCE_BEGIN = 0,
  INFERENCE_ATTENTION = 1, /* of a layer */
  INFERENCE_MLP = 2,       /* of a layer */
  INFERENCE_END = 3,
  INFERENCE_LISTS = 4
};

/* Tag of a list at the kernel engine. */
#define INFERENCE_TAG(layer, list) ((uint32_t)(layer)*4u + (uint32_t)(list))

struct inference_plan {
  uint64_t lists[INFERENCE_LISTS]; /* addresses (drivers/kernel_list.h) */
  uint32_t kernels[INFERENCE_LISTS];
  uint32_t layers; /* read before each layer: the platform may lower it while the job runs, when all
                    * further layers would be the same */
  uint32_t reserved; /* 0 */
};

#ifdef __cplusplus
static_assert(sizeof(struct inference_plan) == 56, "a plan has no padding");
#else
_Static_assert(sizeof(struct inference_plan) == 56, "a plan has no padding");
#endif

#endif
