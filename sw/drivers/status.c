#include "drivers/status.h"

const char* status_name(enum status status) {
  /* Rows of characters, not pointers: a table of pointers needs relocation, so it is not constant.
   */
  static const char names[][20] = {
      [STATUS_OK] = "ok",
      [STATUS_TIMEOUT] = "timeout",
      [STATUS_DMA_ERROR] = "dma error",
      [STATUS_VECTOR_ERROR] = "vector error",
      [STATUS_BAD_BOOT] = "bad boot block",
      [STATUS_BAD_JOB] = "bad job",
      [STATUS_UNSUPPORTED] = "unsupported",
      [STATUS_ISA_ERROR] = "isa error",
      [STATUS_MULTIMEM_ERROR] = "multimem error",
      [STATUS_NO_PART] = "no part",
      [STATUS_GEMM_ERROR] = "gemm error",
      [STATUS_AGGREGATOR_ERROR] = "aggregator error",
      [STATUS_TOKEN_ERROR] = "token hub error",
      [STATUS_GATHER_ERROR] = "gather error",
      [STATUS_KERNEL_ERROR] = "kernel error",
  };
  const unsigned index = (unsigned)status;
  return index < sizeof names / sizeof names[0] ? names[index] : "unknown status";
}
