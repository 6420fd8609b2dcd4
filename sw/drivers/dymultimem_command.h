/* A command of dynamic multimem (DySHARP III-C): dymultimem.st, dymultimem.ld_reduce. Token hubs
 * read them from a ring in memory. Little-endian, natural alignment, no padding.
 */
#ifndef HEDDLE_DYMULTIMEM_COMMAND_H
#define HEDDLE_DYMULTIMEM_COMMAND_H

#include <stdint.h>

enum dymultimem_op { DYMULTIMEM_ST = 0, DYMULTIMEM_LD_REDUCE = 1 };
enum dymultimem_stage { DYMULTIMEM_DISPATCH = 0, DYMULTIMEM_COMBINE = 1 };

struct dymultimem_command {
  uint16_t op;
  uint16_t stage;   /* stores dispatch, loads combine */
  uint32_t count;   /* targets */
  uint64_t address; /* of an own token, in the multimem range */
  uint64_t value;   /* address of the vector that is stored, or of the room for the sum */
  uint64_t list;    /* address of uint16_t[count]: experts */
};

#ifdef __cplusplus
static_assert(sizeof(struct dymultimem_command) == 32, "a command has no padding");
#else
_Static_assert(sizeof(struct dymultimem_command) == 32, "a command has no padding");
#endif

#endif
