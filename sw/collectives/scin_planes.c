#include "collectives/scin_planes.h"

#include "collectives/peer.h"
#include "drivers/arithmetic.h"
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

/* Nobody else has an accelerator that has a single tenant: it need not be asked. */
static uint32_t first_stream(const struct scin* scin, const struct boot_block* boot) {
  uint32_t streams = UINT32_MAX; /* that every plane has */
  if (boot->tenants <= 1) return 0;
  for (uint32_t plane = 0; plane < scin->planes; ++plane)
    streams = (uint32_t)smaller(streams, hal_read32(scin->registers[plane] + ISA_STREAMS));
  return boot->tenant * scin_streams_of_tenant(boot, streams);
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
  scin->first_stream = 0;
  if (scin->planes == 0) return STATUS_OK;
  scin->first_stream = first_stream(scin, boot);
  if (!pushes) return STATUS_OK;
  for (uint32_t plane = 0; plane < scin->planes && status == STATUS_OK; ++plane) {
    status = isa_open(scin->registers[plane]);
  }
  return status == STATUS_OK ? find_members(scin, boot) : status;
}

uint64_t scin_members(const struct scin* scin, uint32_t first, uint32_t ranks) {
  uint64_t mask = 0;
  for (uint32_t rank = first; rank < first + ranks; ++rank) {
    mask |= UINT64_C(1) << scin->member[rank];
  }
  return mask;
}
