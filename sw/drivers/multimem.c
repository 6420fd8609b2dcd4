#include "drivers/multimem.h"

#include "hal/hal.h"
#include "regs/multimem_regs.h"

/* Kinds, types and operators go into the register as they are. */
_Static_assert((int)MULTIMEM_LD_REDUCE == MULTIMEM_OPERATION_KIND_LD_REDUCE, "ld_reduce");
_Static_assert((int)MULTIMEM_ST == MULTIMEM_OPERATION_KIND_ST, "st");
_Static_assert((int)MULTIMEM_ALL_REDUCE == MULTIMEM_OPERATION_KIND_ALL_REDUCE, "all-reduce");
_Static_assert((int)BOOT_FP16 == MULTIMEM_OPERATION_DTYPE_FP16, "fp16");
_Static_assert((int)BOOT_BF16 == MULTIMEM_OPERATION_DTYPE_BF16, "bf16");
_Static_assert((int)BOOT_FP32 == MULTIMEM_OPERATION_DTYPE_FP32, "fp32");
_Static_assert((int)BOOT_INT32 == MULTIMEM_OPERATION_DTYPE_INT32, "int32");
_Static_assert((int)BOOT_SUM == MULTIMEM_OPERATION_OP_SUM, "sum");
_Static_assert((int)BOOT_MIN == MULTIMEM_OPERATION_OP_MIN, "min");
_Static_assert((int)BOOT_MAX == MULTIMEM_OPERATION_OP_MAX, "max");

/* The longest operation: the length register has 32 bits. A multiple of every block. */
#define LONGEST (UINT64_C(1) << 30)

void multimem_open(struct multimem* multimem, const struct boot_block* boot) {
  multimem->registers = hal_device(MULTIMEM_BLOCK_ID, 0);
  multimem->timeout_ns = boot->timeout_ns;
  multimem->started = hal_read32(multimem->registers + MULTIMEM_COMPLETED);
}

static enum status await(const struct multimem* multimem) {
  if (hal_poll_reached32(multimem->registers + MULTIMEM_COMPLETED, multimem->started,
                         multimem->timeout_ns) == 0) {
    return STATUS_OK;
  }
  const uint32_t status = hal_read32(multimem->registers + MULTIMEM_STATUS);
  const uint32_t state = (status & MULTIMEM_STATUS_STATE_MASK) >> MULTIMEM_STATUS_STATE_POS;
  hal_log("multimem: no completion of operation", multimem->started);
  if (state != MULTIMEM_STATUS_STATE_ERROR) return STATUS_TIMEOUT;
  hal_log("multimem: its error code",
          (status & MULTIMEM_STATUS_ERROR_MASK) >> MULTIMEM_STATUS_ERROR_POS);
  return STATUS_MULTIMEM_ERROR;
}

static enum status run_part(struct multimem* multimem, uint64_t destination, uint64_t source,
                            uint32_t bytes) {
  hal_write64(multimem->registers + MULTIMEM_DESTINATION, destination);
  hal_write64(multimem->registers + MULTIMEM_SOURCE, source);
  hal_write32(multimem->registers + MULTIMEM_BYTES, bytes);
  hal_fence(); /* the unit must see the data whose flag this core has seen */
  hal_write32(multimem->registers + MULTIMEM_START, 1);
  ++multimem->started;
  return await(multimem);
}

enum status multimem_run(struct multimem* multimem, const struct multimem_transfer* transfer) {
  if (transfer->dtype > BOOT_INT32 || transfer->op > BOOT_MAX) {
    hal_log("multimem: no such type, operator", (uint64_t)transfer->dtype << 32 | transfer->op);
    return STATUS_BAD_JOB;
  }
  if (transfer->bytes == 0) return STATUS_OK;
  hal_write32(multimem->registers + MULTIMEM_OPERATION,
              (uint32_t)transfer->kind << MULTIMEM_OPERATION_KIND_POS |
                  transfer->dtype << MULTIMEM_OPERATION_DTYPE_POS |
                  transfer->op << MULTIMEM_OPERATION_OP_POS);
  enum status status = STATUS_OK;
  for (uint64_t done = 0; done < transfer->bytes && status == STATUS_OK; done += LONGEST) {
    const uint64_t rest = transfer->bytes - done;
    status = run_part(multimem, transfer->destination + done, transfer->source + done,
                      (uint32_t)(rest < LONGEST ? rest : LONGEST));
  }
  return status;
}
