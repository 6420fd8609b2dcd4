/* Gathers the remote properties of all nonzeros of a node (NetSparse 5.4, 8.1): one core cuts the
 * list into batches and keeps every client unit of the NIC busy. A batch that fails is void; it is
 * gathered again without the filter, whose bits still tell of what was declared void. */
#ifndef HEDDLE_KERNELS_GATHER_H
#define HEDDLE_KERNELS_GATHER_H

#include <stdint.h>

#include "drivers/rig.h"
#include "kernels/gather_job.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GATHER_MOST_TRIES 8

struct gather {
  struct rig nic;
  struct boot_block boot;
  struct gather_job job;
  uint64_t batches;               /* of the job */
  uint64_t next;                  /* batch that has not been posted yet */
  uint64_t finished;              /* batches */
  uint32_t idle;                  /* one bit a client */
  uint32_t prepared;              /* clients whose doorbell is to be rung */
  uint64_t batch[RIG_MOST_UNITS]; /* that each client works on */
  uint32_t tries[RIG_MOST_UNITS]; /* how often it has failed there */
  uint32_t repeated;              /* commands of the job that failed and were posted again */
};

/* STATUS_NO_PART: this core has no part in a workload. */
enum status gather_open(struct gather* gather);

/* Reads the job and programs the NIC; clears the filter unless that belongs to the measured time.
 */
enum status gather_prepare(struct gather* gather);

/* From the first doorbell until every batch is in memory. */
enum status gather_run(struct gather* gather);

/* The steps of gather_run, for who computes between them. */
enum status gather_post(struct gather* gather); /* a batch to every idle client */
/* Waits until batches have been gathered; one bit a client. Batches that failed are posted again,
 * GATHER_MOST_TRIES times; then all units are stopped, the log says why, and the gather fails with
 * STATUS_GATHER_ERROR. */
enum status gather_next_done(struct gather* gather, uint32_t* completed);

#ifdef __cplusplus
}
#endif

#endif
