/* What every driver and collective returns: 0, or why it gave up. */
#ifndef HEDDLE_STATUS_H
#define HEDDLE_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

enum status {
  STATUS_OK = 0,
  STATUS_TIMEOUT = 1,        /* a poll took longer than boot_block.timeout_ns */
  STATUS_DMA_ERROR = 2,      /* a DMA channel stopped */
  STATUS_VECTOR_ERROR = 3,   /* the vector unit stopped */
  STATUS_BAD_BOOT = 4,       /* the boot block is of another version or does not fit the hardware */
  STATUS_BAD_JOB = 5,        /* a field of the job is out of range */
  STATUS_UNSUPPORTED = 6,    /* no such algorithm for this collective or this number of ranks */
  STATUS_ISA_ERROR = 7,      /* an in-switch accelerator refused or gave up */
  STATUS_MULTIMEM_ERROR = 8, /* the multimem unit stopped */
  STATUS_NO_PART = 9,     /* the boot block names no ranks: this core has no part in a workload */
  STATUS_GEMM_ERROR = 10, /* the GEMM engine stopped */
  STATUS_AGGREGATOR_ERROR = 11, /* an aggregator stopped its group */
  STATUS_TOKEN_ERROR = 12,      /* the token hub gave up */
  STATUS_GATHER_ERROR = 13,     /* a batch of a gather failed again and again */
  STATUS_KERNEL_ERROR = 14,     /* the kernel engine refused a list */
};

/* For logs: "timeout", "dma error", ... */
const char* status_name(enum status status);

#ifdef __cplusplus
}
#endif

#endif
