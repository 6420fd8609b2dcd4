#include "drivers/isa.h"

#include "hal/hal.h"
#include "regs/isa_regs.h"

static void log_error(uint32_t error, uint64_t culprits) {
  static const char messages[][40] = {
      [ISA_STREAM_STATUS_ERROR_NONE] = "isa: no error",
      [ISA_STREAM_STATUS_ERROR_UNKNOWN_MEMBER] = "isa: unknown member",
      [ISA_STREAM_STATUS_ERROR_ZERO_LENGTH] = "isa: zero length",
      [ISA_STREAM_STATUS_ERROR_UNALIGNED] = "isa: unaligned address or length",
      [ISA_STREAM_STATUS_ERROR_UNMAPPED] = "isa: unmapped address",
      [ISA_STREAM_STATUS_ERROR_NO_SCALE] = "isa: no scale instruction",
      [ISA_STREAM_STATUS_ERROR_BAD_OPERATION] = "isa: bad operation",
      [ISA_STREAM_STATUS_ERROR_WAVE_TOO_LARGE] = "isa: a wave is larger than the table",
      [ISA_STREAM_STATUS_ERROR_QUEUE_FULL] = "isa: the queue is full",
      [ISA_STREAM_STATUS_ERROR_NOT_A_MEMBER] = "isa: arrival of no member",
      [ISA_STREAM_STATUS_ERROR_ARRIVED_TWICE] = "isa: a member arrived twice",
      [ISA_STREAM_STATUS_ERROR_MISSING_MEMBER] = "isa: a member never arrived",
      [ISA_STREAM_STATUS_ERROR_BUS] = "isa: bus error",
      [ISA_STREAM_STATUS_ERROR_WAVE_TOO_SMALL] = "isa: a wave holds no block",
  };
  const uint32_t known = sizeof messages / sizeof messages[0];
  hal_log(error < known ? messages[error] : "isa: unknown error", culprits);
}

enum status isa_open(uint64_t registers) {
  const uint32_t id = hal_read32(registers + ISA_ID);
  if (id == ISA_ID_RESET_VALUE) return STATUS_OK;
  hal_log("isa: no in-switch accelerator here, id", id);
  return STATUS_BAD_BOOT;
}

int isa_member_of(uint64_t registers, uint64_t base) {
  const uint64_t present = hal_read64(registers + ISA_PRESENT);
  for (uint32_t member = 0; member < ISA_MOST_MEMBERS; ++member) {
    if ((present >> member & 1) == 0) continue;
    if (hal_read64(registers + ISA_MEMBER_BASE(member)) == base) return (int)member;
  }
  hal_log("isa: no member has its memory at", base);
  return -1;
}

void isa_set_stream(uint64_t registers, uint32_t stream, uint64_t members, uint64_t flag_offset,
                    uint64_t watchdog_ns) {
  hal_write64(registers + ISA_STREAM_MEMBERS(stream), members);
  hal_write64(registers + ISA_STREAM_FLAG_OFFSET(stream), flag_offset);
  hal_write64(registers + ISA_STREAM_WATCHDOG(stream), watchdog_ns);
}

void isa_set_address(uint64_t registers, uint32_t stream, uint32_t member, uint64_t address) {
  hal_write64(registers + ISA_ADDRESS_OPERAND(stream * ISA_MOST_MEMBERS + member), address);
}

void isa_set_region(uint64_t registers, uint32_t region, const struct isa_region* place) {
  hal_write64(registers + ISA_REGION_BASE(region), place->base);
  hal_write64(registers + ISA_REGION_SIZE(region), place->size);
  hal_write64(registers + ISA_REGION_OFFSET(region), place->offset);
}

void isa_push(uint64_t registers, uint32_t stream, const struct isa_operation* operation) {
  hal_write32(registers + ISA_STREAM_INSTRUCTION(stream), operation->id);
  hal_write32(registers + ISA_STREAM_LENGTH(stream), operation->length);
  hal_write64(registers + ISA_STREAM_SOURCE(stream), operation->source);
  hal_write64(registers + ISA_STREAM_DESTINATION(stream), operation->destination);
  hal_write32(registers + ISA_STREAM_OPERATION(stream), operation->control);
  hal_fence();
  hal_write32(registers + ISA_STREAM_PUSH(stream), 1);
}

enum status isa_check(uint64_t registers, uint32_t stream) {
  hal_fence();
  const uint32_t status = hal_read32(registers + ISA_STREAM_STATUS(stream));
  const uint32_t error = (status & ISA_STREAM_STATUS_ERROR_MASK) >> ISA_STREAM_STATUS_ERROR_POS;
  if (error == ISA_STREAM_STATUS_ERROR_NONE) return STATUS_OK;
  log_error(error, hal_read64(registers + ISA_STREAM_CULPRIT(stream)));
  return STATUS_ISA_ERROR;
}

void isa_enable_interrupt(uint64_t registers) {
  const uint32_t streams = hal_read32(registers + ISA_STREAMS);
  hal_write32(registers + ISA_IRQ_ENABLE, (UINT32_C(1) << streams) - 1);
}

void isa_reset(uint64_t registers, uint32_t stream) {
  hal_write32(registers + ISA_STREAM_CONTROL(stream), ISA_STREAM_CONTROL_RESET_MASK);
  hal_write32(registers + ISA_IRQ_STATUS, UINT32_C(1) << stream);
}

void isa_arrive(uint64_t registers, uint32_t stream) {
  hal_post_add64(registers + ISA_STREAM_COUNTER(stream), 1);
}

enum status isa_await(uint64_t flag, uint32_t completions, uint64_t timeout_ns) {
  uint32_t error = ISA_STREAM_STATUS_ERROR_NONE;
  if (hal_poll_flag64(flag, completions, timeout_ns, &error) != 0) {
    hal_log("isa: no completion of operation", completions);
    return STATUS_TIMEOUT;
  }
  if (error == ISA_STREAM_STATUS_ERROR_NONE) return STATUS_OK;
  hal_write32(flag + sizeof(uint32_t), ISA_STREAM_STATUS_ERROR_NONE);
  return STATUS_ISA_ERROR;
}
