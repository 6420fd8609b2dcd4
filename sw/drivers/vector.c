#include "drivers/vector.h"

#include "drivers/arithmetic.h"
#include "drivers/line.h"
#include "hal/hal.h"
#include "regs/vector_regs.h"

/* Types and operators of a job go into the register as they are. */
_Static_assert((int)BOOT_FP16 == VECTOR_OPERATION_DTYPE_FP16, "fp16");
_Static_assert((int)BOOT_BF16 == VECTOR_OPERATION_DTYPE_BF16, "bf16");
_Static_assert((int)BOOT_FP32 == VECTOR_OPERATION_DTYPE_FP32, "fp32");
_Static_assert((int)BOOT_FP64 == VECTOR_OPERATION_DTYPE_FP64, "fp64");
_Static_assert((int)BOOT_FP8 == VECTOR_OPERATION_DTYPE_FP8, "fp8");
_Static_assert((int)BOOT_INT32 == VECTOR_OPERATION_DTYPE_INT32, "int32");
_Static_assert((int)BOOT_SUM == VECTOR_OPERATION_OP_SUM, "sum");
_Static_assert((int)BOOT_MIN == VECTOR_OPERATION_OP_MIN, "min");
_Static_assert((int)BOOT_MAX == VECTOR_OPERATION_OP_MAX, "max");
_Static_assert((int)BOOT_AND == VECTOR_OPERATION_OP_AND, "and");
_Static_assert((int)BOOT_OR == VECTOR_OPERATION_OP_OR, "or");
_Static_assert((int)BOOT_XOR == VECTOR_OPERATION_OP_XOR, "xor");

void vector_open(struct vector* vector, const struct boot_block* boot) {
  vector->registers = hal_device(VECTOR_BLOCK_ID, 0);
  vector->timeout_ns = boot->timeout_ns;
  vector->started = hal_read32(vector->registers + VECTOR_COMPLETED);
  vector->operation = hal_read32(vector->registers + VECTOR_OPERATION);
  vector->elements = hal_read32(vector->registers + VECTOR_ELEMENTS);
}

static void write_operation(struct vector* vector, uint32_t operation) {
  if (operation == vector->operation) return;
  hal_write32(vector->registers + VECTOR_OPERATION, operation);
  vector->operation = operation;
}

enum status vector_check(uint32_t dtype, uint32_t op) {
  const int is_bits = op >= BOOT_AND && op <= BOOT_XOR && dtype == BOOT_INT32;
  if (dtype <= BOOT_FP8 && (op <= BOOT_MAX || is_bits)) return STATUS_OK;
  hal_log("vector: no such type, operator", (uint64_t)dtype << 32 | op);
  return STATUS_BAD_JOB;
}

enum status vector_set_operation(struct vector* vector, uint32_t dtype, uint32_t op) {
  const enum status status = vector_check(dtype, op);
  if (status != STATUS_OK) return status;
  write_operation(vector, dtype << VECTOR_OPERATION_DTYPE_POS | op << VECTOR_OPERATION_OP_POS);
  return STATUS_OK;
}

void vector_start(struct vector* vector, uint64_t destination, uint64_t source, uint32_t elements) {
  hal_write64(vector->registers + VECTOR_DESTINATION, destination);
  hal_write64(vector->registers + VECTOR_SOURCE, source);
  if (elements != vector->elements) {
    hal_write32(vector->registers + VECTOR_ELEMENTS, elements);
    vector->elements = elements;
  }
  hal_fence(); /* the unit must see the data whose flag this core has seen */
  hal_write32(vector->registers + VECTOR_START, 1);
  ++vector->started;
}

enum status vector_wait(struct vector* vector) {
  if (hal_poll_reached32(vector->registers + VECTOR_COMPLETED, vector->started,
                         vector->timeout_ns) == 0) {
    return STATUS_OK;
  }
  const uint32_t status = hal_read32(vector->registers + VECTOR_STATUS);
  const uint32_t state = (status & VECTOR_STATUS_STATE_MASK) >> VECTOR_STATUS_STATE_POS;
  hal_log("vector: no completion of operation", vector->started);
  if (state != VECTOR_STATUS_STATE_ERROR) return STATUS_TIMEOUT;
  hal_log("vector: its error code", (status & VECTOR_STATUS_ERROR_MASK) >> VECTOR_STATUS_ERROR_POS);
  return STATUS_VECTOR_ERROR;
}

enum status vector_reduce(struct vector* vector, uint64_t destination, uint64_t source,
                          uint64_t elements, uint64_t element_bytes) {
  enum status status = STATUS_OK;
  for (uint64_t done = 0; done < elements && status == STATUS_OK;) {
    const uint64_t rest = elements - done;
    const uint32_t count = rest < VECTOR_LONGEST ? (uint32_t)rest : VECTOR_LONGEST;
    vector_start(vector, destination + done * element_bytes, source + done * element_bytes, count);
    status = vector_wait(vector);
    done += count;
  }
  return status;
}

static enum status take_lines(struct vector* vector, uint64_t destination,
                              const struct vector_lines* lines, uint32_t elements,
                              uint32_t operation) {
  enum status status = STATUS_OK;
  write_operation(vector, operation | VECTOR_OPERATION_LINES_MASK);
  hal_write64(vector->registers + VECTOR_FLAG, lines->flag);
  while (status == STATUS_OK) {
    vector_start(vector, destination, lines->address, elements);
    status = vector_wait(vector);
    if (status != STATUS_OK) break;
    const uint32_t missing = hal_read32(vector->registers + VECTOR_MISSING);
    if (missing == 0) break;
    const uint64_t flag = lines->address + missing * LINE_BYTES - (LINE_BYTES - LINE_DATA);
    if (hal_poll_equal32(flag, UINT32_MAX, (uint32_t)lines->flag, vector->timeout_ns) != 0) {
      hal_log("vector: no line of the message, counted from 1", missing);
      status = STATUS_TIMEOUT;
    }
  }
  return status;
}

enum status vector_reduce_lines(struct vector* vector, uint64_t destination,
                                const struct vector_lines* lines, uint32_t elements, uint32_t dtype,
                                uint32_t op) {
  return take_lines(vector, destination, lines, elements,
                    dtype << VECTOR_OPERATION_DTYPE_POS | op << VECTOR_OPERATION_OP_POS);
}

enum status vector_copy_lines(struct vector* vector, uint64_t destination,
                              const struct vector_lines* lines, uint32_t elements, uint32_t dtype) {
  return take_lines(vector, destination, lines, elements,
                    dtype << VECTOR_OPERATION_DTYPE_POS | (uint32_t)VECTOR_OPERATION_OP_COPY
                                                              << VECTOR_OPERATION_OP_POS);
}

/* At most VECTOR_LONGEST elements at a time, which is whole blocks. */
static enum status convert(struct vector* vector, const struct quantized* quantized,
                           uint64_t elements_at, uint64_t elements, uint32_t dtype, uint32_t op) {
  const uint64_t element_bytes = dtype == BOOT_FP32 ? 4 : 2;
  enum status status = STATUS_OK;
  if (dtype > BOOT_FP32) {
    hal_log("vector: such elements are not quantized", dtype);
    return STATUS_BAD_JOB;
  }
  if (quantized->block == 0 || (quantized->bits != 8 && quantized->bits != 4)) {
    hal_log("vector: no such bits, block of quantized elements",
            (uint64_t)quantized->bits << 32 | quantized->block);
    return STATUS_BAD_JOB;
  }
  const uint32_t log_block = log2_of(quantized->block);
  write_operation(vector, dtype << VECTOR_OPERATION_DTYPE_POS | op << VECTOR_OPERATION_OP_POS |
                              log_block << VECTOR_OPERATION_BLOCK_POS |
                              (quantized->bits == 4 ? VECTOR_OPERATION_BITS_MASK : 0));
  for (uint64_t done = 0; done < elements && status == STATUS_OK;) {
    const uint64_t rest = elements - done;
    const uint32_t count = rest < VECTOR_LONGEST ? (uint32_t)rest : VECTOR_LONGEST;
    const uint64_t plain = elements_at + done * element_bytes;
    const uint64_t integers = quantized->data + done * quantized->bits / 8;
    const int is_packing = op == VECTOR_OPERATION_OP_QUANTIZE;
    hal_write64(vector->registers + VECTOR_SCALES,
                quantized->scales + done / quantized->block * sizeof(uint16_t));
    vector_start(vector, is_packing ? integers : plain, is_packing ? plain : integers, count);
    status = vector_wait(vector);
    done += count;
  }
  return status;
}

enum status vector_quantize(struct vector* vector, const struct quantized* to, uint64_t from,
                            uint64_t elements, uint32_t dtype) {
  return convert(vector, to, from, elements, dtype, VECTOR_OPERATION_OP_QUANTIZE);
}

enum status vector_dequantize(struct vector* vector, uint64_t to, const struct quantized* from,
                              uint64_t elements, uint32_t dtype) {
  return convert(vector, from, to, elements, dtype, VECTOR_OPERATION_OP_DEQUANTIZE);
}
