#include "collectives/scin_set_up.h"

#include "collectives/layout.h"
#include "collectives/scin_share.h"
#include "hal/hal.h"
#include "regs/isa_regs.h"

/* All windows: in single-address mode an instruction names an offset in each of them. Tenants of an
 * accelerator share the region, which is the same for all. */
enum { SCIN_REGION = 0 };
#define SCIN_REGION_BYTES (UINT64_C(1) << 48)

/* The watchdog goes off before the ranks lose their patience: it knows who is missing. */
static void set_stream(const struct scin* scin, const struct boot_block* boot, uint32_t stream,
                       uint64_t taking_part) {
  const uint64_t area = boot->flags - boot->self; /* the same in every window */
  for (uint32_t plane = 0; plane < scin->planes; ++plane) {
    isa_set_stream(scin->registers[plane], stream, taking_part, area + FLAG_SCIN * sizeof(uint32_t),
                   boot->timeout_ns / 2);
  }
}

void scin_set_up(struct scin* scin, const struct boot_block* boot) {
  set_stream(scin, boot, scin->first_stream, scin_members(scin, 0, boot->ranks));
  for (uint32_t plane = 0; plane < scin->planes; ++plane) {
    isa_enable_interrupt(scin->registers[plane]);
  }
}

static void set_region(struct scin* scin) {
  const struct isa_region windows = {0, SCIN_REGION_BYTES, 0};
  for (uint32_t plane = 0; plane < scin->planes; ++plane) {
    isa_set_region(scin->registers[plane], SCIN_REGION, &windows);
  }
  scin->has_region = 1;
}

enum status scin_adapt(struct scin* scin, const struct boot_block* boot,
                       const struct boot_job* job) {
  const uint32_t groups = scin_groups(job), streams = scin_streams(job);
  const uint32_t ranks = boot->ranks / groups;
  if ((job->flags & BOOT_JOB_SINGLE_ADDRESS) != 0 && !scin->has_region) set_region(scin);
  if (groups == scin->groups && streams == scin->streams) return STATUS_OK;
  if (ranks * groups != boot->ranks) return STATUS_BAD_JOB;
  const uint32_t all = hal_read32(scin->registers[0] + ISA_STREAMS);
  if (groups * streams > scin_streams_of_tenant(boot, all)) {
    hal_log("scin: the accelerators have fewer streams than", groups * streams);
    return STATUS_UNSUPPORTED;
  }
  scin->groups = groups;
  scin->streams = streams;
  for (uint32_t group = 0; group < groups; ++group) {
    const uint64_t taking_part = scin_members(scin, group * ranks, ranks);
    for (uint32_t part = 0; part < streams; ++part) {
      set_stream(scin, boot, scin->first_stream + group * streams + part, taking_part);
    }
  }
  return STATUS_OK;
}
