/* Descriptor of the DMA engine: 32 bytes in memory, read by the engine. A channel starts its
 * descriptors in order; copies overlap, and `completed` counts a descriptor once its bytes are
 * visible at their destination, in ring order.
 */
#ifndef HEDDLE_DMA_DESCRIPTOR_H
#define HEDDLE_DMA_DESCRIPTOR_H

#include <stdint.h>

struct dma_descriptor {
  uint32_t control; /* opcode and flags */
  uint32_t length;  /* bytes; for DMA_WRITE 4 or 8 */
  uint64_t source;  /* address, or the value that DMA_WRITE writes */
  uint64_t destination;
  uint64_t reserved; /* 0 */
};

#define DMA_OPCODE_MASK UINT32_C(0xf)
#define DMA_COPY UINT32_C(1)
#define DMA_WRITE UINT32_C(2)
/* Starts only when all earlier descriptors of the channel are visible at their destination. */
#define DMA_FENCE (UINT32_C(1) << 8)
/* Sets the channel's bit in irq_status on completion. */
#define DMA_INTERRUPT (UINT32_C(1) << 9)

#endif
