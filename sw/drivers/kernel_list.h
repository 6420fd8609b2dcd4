/* What a kernel engine is told of the kernels that it runs one after another: a list of descriptors
 * in memory, which the engine reads when its `start` register is written. Little-endian, natural
 * alignment, no padding.
 */
#ifndef HEDDLE_KERNEL_LIST_H
#define HEDDLE_KERNEL_LIST_H

#include <stdint.h>

/* Which of the engine's peak rates a kernel multiplies at. */
enum kernel_precision { KERNEL_FP16 = 0, KERNEL_FP8 = 1 };

#define KERNEL_NAME_BYTES 16
#define KERNEL_LONGEST_LIST UINT32_C(256)

struct kernel_descriptor {
  char name[KERNEL_NAME_BYTES]; /* for waves and time lines; ends with a 0 */
  uint64_t block_flops;         /* of one thread block, with padding; multiply-adds count twice */
  uint64_t block_bytes;         /* that one thread block moves between its SM and L2 */
  uint64_t bytes;               /* that the kernel moves between L2 and HBM */
  uint64_t time;                /* fs, measured: replaces blocks and bytes; 0: not measured */
  uint32_t blocks;              /* at least 1 */
  uint32_t precision;           /* enum kernel_precision */
  uint64_t flops;               /* that the result needs, without padding; counted, takes no time */
};

#ifdef __cplusplus
static_assert(sizeof(struct kernel_descriptor) == 64, "a descriptor has no padding");
#else
_Static_assert(sizeof(struct kernel_descriptor) == 64, "a descriptor has no padding");
#endif

#endif
