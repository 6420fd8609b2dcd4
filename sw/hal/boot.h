/* What the platform tells the firmware: who it is, where things are, what to do. Written by the
 * platform into the memory of each rank before the firmware starts; little-endian, natural
 * alignment, no padding. Addresses are absolute. All ranks have the same layout: what lies at
 * `self + x` in one rank lies at `peer base + x` in another.
 */
#ifndef HEDDLE_BOOT_H
#define HEDDLE_BOOT_H

#include <stdint.h>

#define BOOT_MAGIC UINT32_C(0x4C444548) /* "HEDL" */
#define BOOT_VERSION UINT32_C(3)

/* A block of registers that the core reaches, by its bus or by the network behind it: the address
 * map of the netlist is the one place that says where. hal_device() finds them. */
struct boot_device {
  uint32_t block;    /* NAME_BLOCK_ID of regs/NAME_regs.h */
  uint32_t instance; /* among the devices of that block: from 0 on, in the netlist's order */
  uint64_t base;     /* of its registers, as this core addresses them */
};

struct boot_block {
  uint32_t magic;
  uint32_t version;
  uint32_t rank;
  uint32_t ranks;   /* 0: the core has no part in a workload, the block only names its devices */
  uint64_t self;    /* base of this rank's memory window */
  uint64_t peers;   /* uint64_t[ranks]: base of every rank's memory window */
  uint64_t job;     /* struct boot_job, rewritten before every job */
  uint64_t devices; /* struct boot_device[device_count] */
  uint32_t device_count;
  uint32_t reserved;     /* 0 */
  uint64_t rings;        /* descriptor rings: channel c at rings + c * ring_entries * 32 */
  uint32_t ring_entries; /* at least 4 */
  uint32_t channels;     /* DMA channels that the firmware may use */
  uint64_t flags;        /* uint32_t counters that peers write, zero at start */
  uint64_t flag_bytes;   /* at least flag_area_bytes(ranks) of collectives/layout.h */
  uint64_t timeout_ns;   /* for every poll; 0 means none */
  uint64_t multicast;    /* region whose offset x is `self + x` in every rank; 0: there is none */
  uint64_t lines; /* receive slots of messages in lines (drivers/line.h), zero at start; 0: none */
  /* Workloads whose cores set up the same devices are tenants of these. A tenant programs registers
   * of its own there: bank `tenant` of an aggregator, its share of the streams of an in-switch
   * accelerator. */
  uint32_t tenant;   /* of this workload, from 0 on */
  uint32_t tenants;  /* 1: the workload has its devices to itself */
  uint64_t spare[2]; /* 0: the block keeps its size, because cores take time to read it */
};

/* Behind it, for ranks that are tiles of a mesh. */
#define BOOT_MESH_OFFSET UINT32_C(0x100)
struct boot_mesh {
  uint64_t columns;     /* of the ranks in the mesh */
  uint64_t memory;      /* first address of the memory tile of row 0; 0: the mesh has none */
  uint64_t memory_size; /* from one row's memory tile to the next */
  uint64_t spare[2];    /* 0, as in the boot block */
};

enum boot_collective {
  BOOT_ALLREDUCE = 0,
  BOOT_REDUCE_SCATTER = 1,
  BOOT_ALLGATHER = 2,
  BOOT_BROADCAST = 3,
  BOOT_BARRIER = 4,
  BOOT_P2P_LATENCY = 5,   /* rank 0 and rank 1 write to each other in turn */
  BOOT_P2P_BANDWIDTH = 6, /* rank 0 writes to rank 1 */
  BOOT_REDUCE = 7,
  /* Kernels on a mesh of tiles (sw/kernels). */
  BOOT_SUMMA = 8,
  BOOT_FUSED_CONCAT_LINEAR = 9,
  BOOT_ALLTOALL = 10,
};

enum boot_dtype {
  BOOT_FP16 = 0,
  BOOT_BF16 = 1,
  BOOT_FP32 = 2,
  BOOT_INT32 = 3,
  BOOT_FP64 = 4,
  BOOT_FP8 = 5, /* E5M2 */
};
/* 3 to 5 are other operations of vector units. The bits are those of int32. */
enum boot_op { BOOT_SUM = 0, BOOT_MIN = 1, BOOT_MAX = 2, BOOT_AND = 6, BOOT_OR = 7, BOOT_XOR = 8 };

/* Lines of a mesh that have a collective each, at the same time. */
enum boot_lines { BOOT_WHOLE_MESH = 0, BOOT_ROWS = 1, BOOT_COLUMNS = 2 };

/* In-switch accelerators: rank 0 pushes the instructions, else a core that sets the job up ahead of
 * it has done so. */
#define BOOT_JOB_ON_DEMAND UINT32_C(1)
/* The DMA engine does the steps, as chains of descriptors, not the core. */
#define BOOT_JOB_CHAINED UINT32_C(2)
/* How a receiver learns that its data are there. Neither flag: the counter behind the data waits
 * until they have been acknowledged. Ordered: the fabric keeps the order of what one endpoint sends
 * to another, so the counter goes right behind its data. In the packet: every packet brings its
 * flag (drivers/line.h), there is no counter. On a mesh of tiles the counter is a barrier. */
#define BOOT_JOB_ORDERED UINT32_C(4)
#define BOOT_JOB_IN_PACKET UINT32_C(8)
/* In-switch accelerators: an instruction names one address, which stands for those of all ranks. */
#define BOOT_JOB_SINGLE_ADDRESS UINT32_C(16)

struct boot_job {
  uint32_t number;
  uint32_t collective;
  uint32_t algorithm; /* collectives/algorithms.h */
  uint32_t dtype;
  uint32_t op;
  uint32_t root;       /* broadcast, reduce */
  uint32_t iterations; /* point-to-point tests: round trips or messages; GEMM: steps along K;
                        * aggregation trees: how many, 0: the manager chooses */
  uint32_t slots;      /* receive slots in scratch memory; torus: stripes of the vector; in-switch
                        * accelerators: streams that share the data of a group */
  uint64_t elements;   /* of the collective; of a message in point-to-point tests; of a tile of C */
  uint64_t element_bytes;
  uint64_t data;        /* offset from `self`: the vector, reduced in place */
  uint64_t scratch;     /* offset from `self`: what the algorithm needs */
  uint64_t slot_bytes;  /* size of one slot, a multiple of 64; the longest message on a ring, also
                         * where there are no slots (all-gather, broadcast) */
  uint32_t flags;       /* BOOT_JOB_... */
  uint32_t quant_bits;  /* of a quantized element, 8 or 4; 0 where operands may not be quantized */
  uint32_t quant_block; /* elements that share a scale */
  union {
    uint32_t tile;   /* GEMM: rows, columns and depth of what a rank multiplies at a time */
    uint32_t sides;  /* torus: ten bits each, the first one lowest */
    uint32_t groups; /* in-switch accelerators: of ranks that follow each other, each with a
                      * collective of its own; mesh: enum boot_lines; 0: all ranks together */
  };
};

/* Behind the job, written by the core that sets it up: why the hardware cannot do it. The platform
 * gives the ranks another algorithm then. */
#define BOOT_REPORT_OFFSET UINT32_C(0x80)
enum boot_report {
  BOOT_REPORT_OK = 0,
  BOOT_REPORT_NO_AGGREGATOR = 1, /* a switch on the way has none, or cannot reduce */
  BOOT_REPORT_GROUPS = 2,        /* a switch has no group left */
  BOOT_REPORT_BUFFER = 3,        /* a switch has no buffer left */
  BOOT_REPORT_ORDER = 4,         /* the ranks below a switch do not follow each other */
  BOOT_REPORT_SELF_TEST = 5,     /* a test packet or the answer of a rank did not come back */
  BOOT_REPORT_SIZE = 6,          /* more switches, ports or ranks than the manager has room for */
  BOOT_REPORT_TIERS = 7,         /* the ranks are not all at one switch, as the job needs */
  BOOT_REPORT_WINDOW = 8,        /* the data are longer than the window of a group */
};

#ifdef __cplusplus
#define BOOT_ASSERT(condition, text) static_assert(condition, text)
#else
#define BOOT_ASSERT(condition, text) _Static_assert(condition, text)
#endif
BOOT_ASSERT(sizeof(struct boot_device) == 16, "a device has no padding");
BOOT_ASSERT(sizeof(struct boot_block) == 136, "boot block has no padding");
BOOT_ASSERT(sizeof(struct boot_mesh) == 40, "the mesh's part has no padding");
BOOT_ASSERT(sizeof(struct boot_job) == 88, "job has no padding");

#endif
