/* What the platform asks a node to gather: lies where other workloads have their boot_job. Offsets
 * count from the beginning of the node's memory window. */
#ifndef HEDDLE_KERNELS_GATHER_JOB_H
#define HEDDLE_KERNELS_GATHER_JOB_H

#include <stdint.h>

#include "hal/boot.h"

enum gather_features {
  GATHER_FILTER = 1,        /* properties that are there already are not asked for */
  GATHER_COALESCE = 2,      /* nor those that were asked for */
  GATHER_NIC_CONCAT = 4,    /* requests share packets in the NIC */
  GATHER_SWITCH = 8,        /* and in the ToR, which also caches properties */
  GATHER_CLEAR_INSIDE = 16, /* the filter is cleared behind the start mark */
  GATHER_CACHE_ALL = 32,    /* the ToR caches what its own hosts answer, too */
};

struct gather_job {
  uint32_t number;
  uint32_t features; /* gather_features */
  uint32_t kernel;   /* 0..255 */
  uint32_t nodes;
  uint64_t rows_per_node;
  uint64_t indices;      /* offset of the columns of this node's nonzeros, 4 bytes each */
  uint64_t nonzeros;     /* how many */
  uint64_t properties;   /* offset of this node's own properties */
  uint64_t destination;  /* offset of a place for each property of the matrix, by column */
  uint32_t length;       /* bytes of a property */
  uint32_t batch;        /* nonzeros of a command */
  uint32_t delay;        /* cycles, in the NIC */
  uint32_t switch_delay; /* cycles, in the ToR */
  uint32_t watchdog_ns;  /* of each command; 0: none */
  uint32_t clients;      /* one bit a unit; 0: the lower half */
};

BOOT_ASSERT(sizeof(struct gather_job) == 80, "job has no padding");

#endif
