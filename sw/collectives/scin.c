#include "collectives/scin.h"

#include "collectives/layout.h"
#include "collectives/peer.h"
#include "collectives/scin_internal.h"
#include "hal/hal.h"
#include "regs/isa_regs.h"

static enum status find_members(struct scin* scin, const struct boot_block* boot) {
  if (boot->ranks > ISA_MOST_MEMBERS) {
    hal_log("scin: too many ranks", boot->ranks);
    return STATUS_UNSUPPORTED;
  }
  for (uint32_t rank = 0; rank < boot->ranks; ++rank) {
    const int member = isa_member_of(scin->registers[0], peer_window(boot, rank));
    if (member < 0) return STATUS_BAD_BOOT;
    scin->member[rank] = (uint8_t)member;
  }
  return STATUS_OK;
}

enum status scin_open(struct scin* scin, const struct boot_block* boot, int pushes) {
  enum status status = STATUS_OK;
  scin->planes = hal_device_count(ISA_BLOCK_ID);
  scin->completions = 0;
  scin->groups = scin->streams = 1;
  scin->has_region = 0;
  if (scin->planes > SCIN_MOST_PLANES) {
    hal_log("scin: too many planes", scin->planes);
    return STATUS_BAD_BOOT;
  }
  for (uint32_t plane = 0; plane < scin->planes; ++plane) {
    scin->registers[plane] = hal_device(ISA_BLOCK_ID, plane);
  }
  if (scin->planes == 0 || !pushes) return STATUS_OK;
  for (uint32_t plane = 0; plane < scin->planes && status == STATUS_OK; ++plane) {
    status = isa_open(scin->registers[plane]);
  }
  return status == STATUS_OK ? find_members(scin, boot) : status;
}

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
    const struct scin_place place = scin_place_of(job, scin->planes, own.group, share);
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
    const struct scin_place place = scin_place_of(job, scin->planes, own.group, share);
    isa_arrive(scin->registers[place.plane], place.stream);
  }
  scin->completions += own.shares;
  return await(scin, boot, job, own);
}
