/* Driver of the vector unit: destination = destination OP source, or quantization and back; one
 * operation at a time.
 *
 * Limitations: one core owns the unit. Completion is polled; an operation that fails does not
 * complete, so it shows as a poll that times out, and its reason is read then.
 */
#ifndef HEDDLE_VECTOR_H
#define HEDDLE_VECTOR_H

#include <stdint.h>

#include "drivers/status.h"
#include "hal/boot.h"

#ifdef __cplusplus
extern "C" {
#endif

struct vector {
  uint64_t registers;
  uint64_t timeout_ns;
  uint32_t started; /* free-running, like the unit's count of completed operations */
  /* What the registers hold: operation and length seldom change, so most are not written again. */
  uint32_t operation;
  uint32_t elements;
};

void vector_open(struct vector* vector, const struct boot_block* boot);

/* STATUS_BAD_JOB, with a log, when there is no such type or operator. */
enum status vector_check(uint32_t dtype, uint32_t op);

/* Type and operator of the operations to come, which are checked. */
enum status vector_set_operation(struct vector* vector, uint32_t dtype, uint32_t op);

/* Starts an operation on up to VECTOR_LONGEST elements; the unit must be idle. */
#define VECTOR_LONGEST (UINT32_C(1) << 30)
void vector_start(struct vector* vector, uint64_t destination, uint64_t source, uint32_t elements);

/* Waits for the operation last started. */
enum status vector_wait(struct vector* vector);

/* Both, for any number of elements, 0 included. */
enum status vector_reduce(struct vector* vector, uint64_t destination, uint64_t source,
                          uint64_t elements, uint64_t element_bytes);

/* A message of up to LINES_OF_MESSAGE lines (line.h) whose last flag has been seen: destination =
 * destination OP data, or a copy of the data. Lines that came late are waited for. The caller has
 * checked type and operator. */
struct vector_lines {
  uint64_t address;
  uint64_t flag;
};
enum status vector_reduce_lines(struct vector* vector, uint64_t destination,
                                const struct vector_lines* lines, uint32_t elements, uint32_t dtype,
                                uint32_t op);
enum status vector_copy_lines(struct vector* vector, uint64_t destination,
                              const struct vector_lines* lines, uint32_t elements, uint32_t dtype);

/* Integers and fp16 scales of an array, block by block. */
struct quantized {
  uint64_t data;
  uint64_t scales;
  uint32_t bits;  /* of an integer: 8 or 4 */
  uint32_t block; /* elements that share a scale: 32, 64, ... 512 */
};
/* STATUS_BAD_JOB, with a log, when elements are not quantized so. */
enum status vector_quantize(struct vector* vector, const struct quantized* to, uint64_t from,
                            uint64_t elements, uint32_t dtype);
enum status vector_dequantize(struct vector* vector, uint64_t to, const struct quantized* from,
                              uint64_t elements, uint32_t dtype);

#ifdef __cplusplus
}
#endif

#endif
