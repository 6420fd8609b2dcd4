#include "bugs.h"
#include "regs/isa_regs.h"

#define ISA_ON_FABRIC UINT64_C(0x40000000)

static void stage(const struct bug_bench* on) {
  hal_write64(on->isa + ISA_STREAM_MEMBERS(0), 3);
  hal_write32(on->isa + ISA_STREAM_LENGTH(0), 4096);
  hal_write64(on->isa + ISA_STREAM_SOURCE(0), 3);
  hal_write64(on->isa + ISA_STREAM_DESTINATION(0), 3);
  hal_write32(on->isa + ISA_STREAM_OPERATION(0), ISA_STREAM_OPERATION_SYNC_MASK);
}

static int missing_fence(const struct bug_bench* on) {
  hal_write64(on->boot.self, 1);
  stage(on);
  hal_write32(on->isa + ISA_STREAM_PUSH(0), 1); /* bug 60 */
  return 0;
}

static int push_twice(const struct bug_bench* on) {
  stage(on);
  hal_write32(on->isa + ISA_STREAM_PUSH(0), 1);
  hal_write32(on->isa + ISA_STREAM_PUSH(0), 1); /* bug 61 */
  return 0;
}

static int push_without_members(const struct bug_bench* on) {
  hal_write32(on->isa + ISA_STREAM_LENGTH(0), 4096);
  hal_write64(on->isa + ISA_STREAM_SOURCE(0), 3);
  hal_write64(on->isa + ISA_STREAM_DESTINATION(0), 3);
  hal_write32(on->isa + ISA_STREAM_OPERATION(0), 0);
  hal_write32(on->isa + ISA_STREAM_PUSH(0), 1); /* bug 62 */
  return 0;
}

/* Sums 64 KiB of both ranks into rank `to`, without waiting for anybody. */
static uint64_t start_sum(const struct bug_bench* on, uint32_t to) {
  const uint64_t operand = 0x100000;
  hal_write64(on->isa + ISA_STREAM_MEMBERS(0), 3);
  hal_write32(on->isa + ISA_STREAM_LENGTH(0), 0x10000);
  hal_write64(on->isa + ISA_STREAM_SOURCE(0), 3);
  hal_write64(on->isa + ISA_STREAM_DESTINATION(0), UINT64_C(1) << to);
  for (uint32_t rank = 0; rank < 2; ++rank)
    hal_write64(on->isa + ISA_ADDRESS_OPERAND(rank),
                hal_read64(on->boot.peers + rank * sizeof(uint64_t)) + operand);
  hal_write32(on->isa + ISA_STREAM_OPERATION(0), 0);
  hal_fence();
  hal_write32(on->isa + ISA_STREAM_PUSH(0), 1);
  hal_fence();
  return on->boot.self + operand;
}

static int await_sum(const struct bug_bench* on) {
  return hal_poll_reached32(on->isa + ISA_STREAM_COMPLETED(0), 1, 1000000);
}

static int sum_read_early(const struct bug_bench* on) {
  const uint64_t sum = start_sum(on, 0);
  (void)hal_read64(sum + 64); /* bug 68 */
  return await_sum(on);
}

static int operand_overwritten(const struct bug_bench* on) {
  const uint64_t operand = start_sum(on, 1);
  hal_write64(operand + 0xfff8, 1); /* bug 69 */
  return await_sum(on);
}

int run_isa_bug(const struct bug_bench* on, uint32_t bug) {
  switch (bug) {
    case 60:
      return missing_fence(on);
    case 61:
      return push_twice(on);
    case 62:
      return push_without_members(on);
    case 63:
      hal_write32(on->isa + ISA_STREAM_LENGTH(0), 0); /* bug 63 */
      return 0;
    case 64:
      hal_write64(on->isa + ISA_STREAM_COUNTER(0), 0); /* bug 64 */
      return 0;
    case 65:
      hal_write32(on->isa + ISA_STREAM_OPERATION(0), 7); /* bug 65 */
      return 0;
    case 66: /* the same registers over the fabric: nobody waits for the write */
      hal_write32(ISA_ON_FABRIC + ISA_ID, 7); /* bug 66 */
      hal_fence();
      return 0;
    case 67:
      return (int)hal_read32(ISA_ON_FABRIC + ISA_STREAM_PUSH(0) + 0x2000); /* bug 67 */
    case 68:
      return sum_read_early(on);
    case 69:
      return operand_overwritten(on);
    case 127:
      hal_write32(ISA_ON_FABRIC + ISA_STREAM_LENGTH(0), 0); /* bug 127 */
      hal_fence();
      return 0;
    case 128:
      hal_write32(ISA_ON_FABRIC + ISA_STREAM_PUSH(0), 1); /* bug 128 */
      hal_fence();
      return 0;
    case 129:
      return (int)hal_read32(ISA_ON_FABRIC + ISA_STREAM_PUSH(0)); /* bug 129 */
    default:
      return 99;
  }
}
