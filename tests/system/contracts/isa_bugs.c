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
    default:
      return 99;
  }
}
