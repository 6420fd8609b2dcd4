/* Driver of the gather units of a SmartNIC (NetSparse 5.4), in the style of verbs: a send request
 * with the opcode WR_RIG makes the NIC gather, by itself, every property that a list of indices
 * names. Everything goes over PCIe, so registers that keep their values are not written again.
 */
#ifndef HEDDLE_RIG_H
#define HEDDLE_RIG_H

#include <stdint.h>

#include "drivers/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RIG_MOST_UNITS 32

/* What all units of the NIC have to know about a kernel. */
struct rig_kernel {
  uint32_t number;        /* 0..255, different from those of kernels before and after it */
  uint32_t nodes;         /* over which the rows are spread */
  uint64_t rows_per_node; /* property i belongs to node i / rows_per_node */
  uint64_t properties;    /* address of the first property of this node */
  uint32_t length;        /* bytes of a property */
  uint32_t clients;       /* one bit a unit; 0: as at reset */
  uint32_t shares_packets;
  uint32_t delay; /* cycles for which a request waits for others */
};

enum rig_opcode { WR_READ = 0, WR_WRITE = 1, WR_RIG = 2 };
enum rig_flags { RIG_FILTER = 1, RIG_COALESCE = 2 };

struct rig_send_request {
  enum rig_opcode opcode;
  uint32_t flags;
  uint64_t indices;     /* address of the list */
  uint32_t count;       /* indices in it */
  uint32_t index_bytes; /* 4 or 8 */
  uint64_t destination; /* property i goes to destination + i * length */
  uint32_t watchdog_ns; /* 0: none */
};

struct rig_unit {
  uint64_t destination;
  uint32_t count, index_bytes, flags, watchdog_ns;
};

struct rig {
  uint64_t registers;
  uint64_t timeout_ns;
  uint32_t node;
  uint32_t clients;                     /* one bit a unit */
  struct rig_unit unit[RIG_MOST_UNITS]; /* what the registers of each hold */
};

enum status rig_open(struct rig* rig, uint64_t timeout_ns);
/* All units are idle. */
void rig_set_kernel(struct rig* rig, const struct rig_kernel* kernel);
/* Clears the index filter, a bit a column, and waits for it. */
enum status rig_clear_filter(struct rig* rig, uint64_t columns);

/* The unit is idle; rig_ring starts what was prepared. Between the two a fence: one for any number
 * of units. STATUS_UNSUPPORTED: this NIC model knows WR_RIG alone. */
enum status rig_prepare(struct rig* rig, uint32_t unit, const struct rig_send_request* request);
void rig_ring(const struct rig* rig, uint32_t unit);

/* Waits until commands have ended; one bit a unit. */
struct rig_ended {
  uint32_t completed, failed;
};
void rig_await(const struct rig* rig, struct rig_ended* ended);

/* Leaves the failed state of a unit and returns why it failed: RIG_UNIT_STATUS_ERROR_... of
 * regs/rig_regs.h. */
uint32_t rig_reset(const struct rig* rig, uint32_t unit);

/* Ends the commands of these units, one bit a unit, whether they run or have failed. What was on
 * its way for them is dropped, and none of them raises an interrupt any more. */
void rig_stop(const struct rig* rig, uint32_t units);

#ifdef __cplusplus
}
#endif

#endif
