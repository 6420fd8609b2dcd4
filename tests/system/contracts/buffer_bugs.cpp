// What the contracts say of the bugs of buffer_bugs.c.
#include "tests/system/contracts/planted_bugs.hpp"

namespace heddle {

bug_file buffer_bugs() {
  return {
      "buffer_bugs.c",
      {{126, "misaligned read of 4 bytes at"},
       {100, "is announced, but nobody has written it since an engine has completed it"},
       {101, "gpu[0].dma still writes it (destination of descriptor 1 of channel 3, since"},
       {102, "is also the entry of descriptor 0 of channel 3"},
       {103, "gpu[0].dma still reads it (source of descriptor 0 of channel 3, since"},
       {104, "the result is there at its completion, not before"},
       {105, "is announced, but nobody has written it since an engine has completed it"},
       {106, "ends while gpu[0].dma is at work (source of descriptor 0 of channel 3, since"},
       {107, "ends while interrupt line 0 is up: nobody has cleared what raised it"},
       {108, "writes a flag of gpu[1].cp at"},
       {109, "wait for its completion before the entry is written again"},
       {110, "clears every flag, but only 0x8 is set"},
       {111, "nobody has written these 4 bytes"},
       {112, "nobody has written these 8 bytes"},
       {113, "only the lower half of channel[3].ring_base has been written"},
       {114, "hang: reads"},
       {115, "hang: reads"},
       {116, "gpu[0].vector still writes it (destination of its operation, since"},
       {117, "gpu[0].vector still reads it (source of its operation, since"},
       {118, "gpu[0].dma has not completed what it writes there"},
       {119, "gpu[0].vector has not completed what it writes there"},
       {120, "descriptor 5 of channel 3"},
       {121, "gpu[0].dma still writes it (destination of descriptor 0 of channel 3, since"},
       {122, "ends while gpu[0].vector is at work"},
       {123, "atomic access to offset 0x200080: gpu[0].dma still writes it"},
       {124, "write"},
       {125, "the same, 30 times in all: gpu[0].memory at tests/system/contracts/buffer_bugs.c:"}}};
}

}  // namespace heddle
