/* How the data of a job is spread over the planes and over the streams of their accelerators.
 *
 * The ranks of a job are cut into groups of as many that follow each other, each with streams of
 * its own, so that groups do not wait for each other; a group's data is cut into parts, one a
 * stream. Both are one unless the job says otherwise.
 */
#ifndef HEDDLE_COLLECTIVES_SCIN_SHARE_H
#define HEDDLE_COLLECTIVES_SCIN_SHARE_H

#include <stdint.h>

#include "collectives/partition.h"
#include "collectives/scin_planes.h"
#include "hal/boot.h"

#ifdef __cplusplus
extern "C" {
#endif

static inline uint32_t scin_groups(const struct boot_job* job) {
  return job->groups != 0 ? job->groups : 1;
}

/* Streams of a group: each has a part of its data. */
static inline uint32_t scin_streams(const struct boot_job* job) {
  return job->slots != 0 ? job->slots : 1;
}

/* What a share of a group's data goes through: shares take the planes in turn. */
struct scin_place {
  uint32_t plane;
  uint32_t stream; /* of that plane's accelerator */
};
static inline struct scin_place scin_place_of(const struct scin* scin, const struct boot_job* job,
                                              uint32_t group, uint32_t share) {
  const uint32_t part = share / scin->planes;
  const struct scin_place place = {share % scin->planes,
                                   scin->first_stream + group * scin_streams(job) + part};
  return place;
}

/* One of so many shares of a range of elements, a share for each stream of each plane: whole
 * packets, but for the end. */
struct range scin_share(struct range whole, const struct boot_job* job, uint32_t shares,
                        uint32_t share);

/* Shares that have anything to do in a job of so many ranks: the first so many. */
uint32_t scin_active_shares(const struct boot_job* job, uint32_t ranks, uint32_t shares);

#ifdef __cplusplus
}
#endif

#endif
