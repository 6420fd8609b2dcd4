// What the contracts say of the bugs of dma_bugs.c.
#include "tests/system/contracts/planted_bugs.hpp"

namespace heddle {

bug_file dma_bugs() {
  return {
      "dma_bugs.c",
      {{1, "call hal_fence() before the write of channel[3].doorbell"},
       {2,
        "channel[3].ring_base has not been written since reset: tell the channel where its "
        "ring is before the first doorbell"},
       {3, "channel[3].ring_entries has not been written since reset"},
       {4,
        "5 is not within 0 announced, 0 completed and a ring of 4: count up from the last "
        "channel[3].doorbell, and wait for channel[3].completed before the ring is full"},
       {5, "1 is not within 2 announced, 0 completed and a ring of 4"},
       {6, "is not a multiple of 32: align the ring to its descriptors of 32 bytes"},
       {7, "0 is not within 1 to 268435456: a ring without entries can hold no descriptor"},
       {8, "may be written only while channel[3].status.state is IDLE, which is RUN"},
       {9,
        "must not be written while channel[3].status.state is ERROR: write control.reset and "
        "post again"},
       {10, "descriptor 0 is a copy of length 0: control 0x1, length 0"},
       {11, "descriptor 1 has the unknown opcode 0: control 0x0, length 0"},
       {12, "descriptor 0 has the unknown opcode 7: control 0x7"},
       {13, "bus error at 0xff0000000000"},
       {14, "write of 0x7 to channel[3].completed"},
       {15, "read of channel[3].control (offset 0x1d8)"},
       {16, "there is no register"},
       {17, "not aligned to the 4 bytes of the access"},
       {18, "an access of 8 bytes to a register of 4"},
       {19, "sets the reserved bits 0xfe: use the masks of the register header"},
       {20, "there is no register"},
       {21, "(nothing is there)"},
       {22, "the register is write-only"},
       {23, "descriptor 0 sets bits that are reserved: control 0x8001"},
       {24, "there are 8 channels"},
       {25, "gpu[0].dma still writes it (destination of descriptor 0 of channel 3, since"},
       {26,
        "must not be written while channel[3].status.state is RESET: poll status until its state "
        "is IDLE"},
       {27, "descriptor 1 is a copy of length 0: control 0x1, length 0"}}};
}

}  // namespace heddle
