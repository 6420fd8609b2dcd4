/* Descriptor of the DMA engine: 32 bytes in memory, read by the engine. A channel starts its
 * descriptors in order; copies overlap, and `completed` counts a descriptor once its bytes are
 * visible at their destination, in ring order.
 *
 * DMA_WAIT and DMA_REDUCE hold their channel back until they are done, so that a ring of
 * descriptors is a program: receive, reduce, send on. What is behind a reduction finds its result;
 * a reduction overwrites only what copies before it have read.
 *
 * A descriptor that is refused stops its channel once those before it have completed; those behind
 * it do not start.
 */
#ifndef HEDDLE_DMA_DESCRIPTOR_H
#define HEDDLE_DMA_DESCRIPTOR_H

#include <stdint.h>

struct dma_descriptor {
  uint32_t control; /* opcode and flags */
  uint32_t length;  /* bytes, see each opcode; copies and reductions of length 0 are refused */
  uint64_t source;  /* address, or the value that DMA_WRITE writes */
  uint64_t destination;
  uint64_t reserved; /* 0; for DMA_WINDOW the bytes that a count stands for, with DMA_LINES the flag
                      */
};

#define DMA_OPCODE_MASK UINT32_C(0xf)
/* `length` bytes, at least 1, from `source` to `destination`. One end at least is in the engine's
 * own memory. */
#define DMA_COPY UINT32_C(1)
/* Writes the 4 or 8 bytes of `source` to `destination`. */
#define DMA_WRITE UINT32_C(2)
/* Goes on when the free-running counter of 4 or 8 bytes at `source`, in the engine's own memory,
 * has reached the value `destination`. */
#define DMA_WAIT UINT32_C(3)
/* destination = destination OP source over `length` bytes in the engine's own memory: one element
 * at least, and whole ones. */
#define DMA_REDUCE UINT32_C(4)
/* The copies behind it, up to the next DMA_WINDOW of the channel, start no more than `length` bytes
 * ahead of a 32-bit counter at `source` in the engine's own memory, which stands at `destination`
 * when they begin and counts units of `reserved` bytes. Length 0 ends the window. */
#define DMA_WINDOW UINT32_C(5)
/* Starts only when all earlier descriptors of the channel are visible at their destination. */
#define DMA_FENCE (UINT32_C(1) << 8)
/* Sets the channel's bit in irq_status on completion. */
#define DMA_INTERRUPT (UINT32_C(1) << 9)
/* Each of the flags below belongs to one opcode; a descriptor with another opcode is refused. */

/* Of DMA_WRITE: leaves right behind what the channel sent before. On a fabric that keeps the order
 * of what an endpoint sends to another it arrives behind it, too, without the round trip of a
 * fence. */
#define DMA_ORDERED (UINT32_C(1) << 10)
/* Of DMA_COPY: somebody acts on what is copied, a table say, so its bytes are moved also in a run
 * that carries no data. */
#define DMA_CONTROL (UINT32_C(1) << 11)
/* Of DMA_COPY: `length` bytes, from our own memory, become lines (line.h) with the flag `reserved`.
 */
#define DMA_LINES (UINT32_C(1) << 12)
/* Of DMA_REDUCE: enum boot_dtype and enum boot_op. */
#define DMA_DTYPE_POS 16
#define DMA_DTYPE_MASK (UINT32_C(0xf) << DMA_DTYPE_POS)
#define DMA_OP_POS 20
#define DMA_OP_MASK (UINT32_C(0xf) << DMA_OP_POS)

#endif
