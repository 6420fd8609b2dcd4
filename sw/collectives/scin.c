#include "collectives/scin.h"

#include "collectives/layout.h"
#include "hal/hal.h"

/* What a rank has to do with: the first so many shares of its group's data. */
struct part {
  uint32_t group;
  uint32_t shares;
};

static enum status await(const struct scin* scin, const struct boot_block* boot,
                         const struct boot_job* job, struct part own) {
  const uint64_t flag = boot->flags + FLAG_SCIN * sizeof(uint32_t);
  const enum status status = isa_await(flag, scin->completions, boot->timeout_ns);
  for (uint32_t share = 0; status == STATUS_ISA_ERROR && share < own.shares; ++share) {
    const struct scin_place place = scin_place_of(scin, job, own.group, share);
    isa_check(scin->registers[place.plane], place.stream);
  }
  return status;
}

enum status scin_collective(struct scin* scin, const struct boot_block* boot,
                            const struct boot_job* job) {
  enum status status = STATUS_OK;
  if (scin->planes == 0) {
    hal_log("scin: there are no in-switch accelerators", 0);
    return STATUS_UNSUPPORTED;
  }
  if ((job->flags & BOOT_JOB_ON_DEMAND) != 0 && boot->rank == 0) {
    scin->groups = scin_groups(job);
    scin->streams = scin_streams(job);
    status = scin_push(scin, boot, job);
    if (status == STATUS_OK) status = scin_check(scin);
  }
  if (status != STATUS_OK) return status;
  const uint32_t ranks = boot->ranks / scin_groups(job);
  const struct part own = {boot->rank / ranks,
                           scin_active_shares(job, ranks, scin->planes * scin_streams(job))};
  hal_fence(); /* what the accelerators are going to read is in memory */
  for (uint32_t share = 0; share < own.shares; ++share) {
    const struct scin_place place = scin_place_of(scin, job, own.group, share);
    isa_arrive(scin->registers[place.plane], place.stream);
  }
  scin->completions += own.shares;
  return await(scin, boot, job, own);
}
