/* Driver of the DMA engine of a mesh's tile: transfers, multicasts and a member's part of a
 * reduction. Completion is polled; the engine stops the run itself when a transfer fails.
 */
#ifndef HEDDLE_MESH_DMA_H
#define HEDDLE_MESH_DMA_H

#include <stdint.h>

#include "drivers/status.h"
#include "hal/boot.h"

#ifdef __cplusplus
extern "C" {
#endif

struct mesh_dma {
  uint64_t registers;
  uint64_t timeout_ns;
  uint32_t started; /* free-running, like the engine's count of completed transfers */
};

/* Arithmetic: the operation of a type and an operator is that of the type's sum and 1 more for the
 * maximum, 2 for the minimum. */
enum mesh_dma_op {
  MESH_DMA_COPY = 0,
  MESH_DMA_MULTICAST = 1,
  MESH_DMA_ADD_F64 = 5,
  MESH_DMA_ADD_F32 = 8,
  MESH_DMA_ADD_F16 = 11,
  MESH_DMA_ADD_F8 = 14
};

struct mesh_transfer {
  uint64_t destination;
  uint64_t source;
  uint32_t bytes; /* 0: nothing is done */
  enum mesh_dma_op op;
  uint64_t mask; /* of collectives: address bits that any tile has */
};

void mesh_dma_open(struct mesh_dma* dma, const struct boot_block* boot);
/* What the next start moves. */
void mesh_dma_set(struct mesh_dma* dma, const struct mesh_transfer* transfer);
void mesh_dma_go(struct mesh_dma* dma);
/* Both. */
void mesh_dma_start(struct mesh_dma* dma, const struct mesh_transfer* transfer);

/* Until everything that was started has completed. */
enum status mesh_dma_wait(const struct mesh_dma* dma);
/* Until so many at most are queued or under way. */
enum status mesh_dma_wait_for(const struct mesh_dma* dma, uint32_t rest);
/* Until the last beat of everything that was started has left the engine: it may still be on its
 * way. */
enum status mesh_dma_wait_handed_over(const struct mesh_dma* dma);

#ifdef __cplusplus
}
#endif

#endif
