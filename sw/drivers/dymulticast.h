/* The runtime's object of dynamic multimem (DySHARP III-E, Fig 11): a range of algebraic addresses,
 * token t at t times the vector's bytes, which stands for a dense block of each expert's tokens on
 * the GPU that has the expert. Each GPU binds its own blocks, for dispatch and for combine.
 *
 *   dymulticast_create      what vectors and stages there are
 *   dymulticast_add_device  for each GPU that takes part, this one among them
 *   dymulticast_bind        for each stage: where the own experts' blocks lie, one behind the other
 *   dymulticast_map         the object is complete: writes it into a layer's descriptor
 *
 * Every call returns 0 or what is wrong, and then has changed nothing. The object's memory is the
 * caller's.
 *
 * Limitations: all GPUs have equally many experts and tokens; GPUs are those from 0 on without a
 * gap.
 */
#ifndef HEDDLE_DYMULTICAST_H
#define HEDDLE_DYMULTICAST_H

#include <stdint.h>

#include "drivers/token_layer.h"

#ifdef __cplusplus
extern "C" {
#endif

enum dymulticast_stage { DYMULTICAST_DISPATCH = 0, DYMULTICAST_COMBINE = 1, DYMULTICAST_STAGES };

enum dymulticast_error {
  DYMULTICAST_OK = 0,
  DYMULTICAST_BAD_PROPERTY, /* vectors of no bytes or of an odd number, or not two stages */
  DYMULTICAST_BAD_DEVICE,   /* no such device, it was added before, or there is a gap below it */
  DYMULTICAST_BAD_STAGE,    /* neither dispatch nor combine */
  DYMULTICAST_BAD_OFFSET,   /* not at a vector, or the range ends behind 48 bits of address */
  DYMULTICAST_BAD_COUNT,    /* more tokens for an expert than there are, other ones per stage, or
                             * not equally many of each device */
  DYMULTICAST_NO_ROOM,      /* the blocks are longer than what the pointer is to */
  DYMULTICAST_BOUND,        /* this stage is bound already */
  DYMULTICAST_NOT_BOUND,    /* a stage is not bound, or fewer than two devices were added */
  DYMULTICAST_MAPPED        /* not while it is mapped */
};

struct dymulticast_property {
  uint32_t bsize;  /* bytes of a vector */
  uint32_t stages; /* 2: both use one layout of each expert's block */
};

struct dymulticast {
  struct dymulticast_property property;
  uint64_t devices; /* a bit each */
  uint64_t offset;  /* of the first token, in the multimem range */
  uint32_t ntoken;
  uint32_t experts; /* of this GPU */
  uint32_t is_bound[DYMULTICAST_STAGES];
  uint32_t is_mapped;
  uint64_t pointers[DYMULTICAST_STAGES];
  uint64_t active[DYMULTICAST_STAGES]; /* tokens of all own experts together */
};

/* An address, and how many bytes of it are the caller's. */
struct dymulticast_memory {
  uint64_t pointer;
  uint64_t bytes;
};

enum dymulticast_error dymulticast_create(struct dymulticast* object,
                                          struct dymulticast_property property);
enum dymulticast_error dymulticast_add_device(struct dymulticast* object, uint32_t device);
/* ntoken tokens of all sources from `offset` of the range on; nactive[experts]: how many of them
 * each own expert gets. */
enum dymulticast_error dymulticast_bind(struct dymulticast* object, uint64_t offset,
                                        uint32_t ntoken, struct dymulticast_memory memory,
                                        const uint32_t* nactive, uint32_t experts, uint32_t stage);
/* `range`: first address of the multimem range. */
enum dymulticast_error dymulticast_map(struct dymulticast* object, uint64_t range,
                                       struct token_layer* layer);

/* For logs: "dymulticast: ..." */
const char* dymulticast_error_name(enum dymulticast_error error);

#ifdef __cplusplus
}
#endif

#endif
