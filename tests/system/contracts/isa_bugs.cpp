// What the contracts say of the bugs of isa_bugs.c.
#include "tests/system/contracts/planted_bugs.hpp"

namespace heddle {

bug_file isa_bugs() {
  return {"isa_bugs.c",
          {{60, "call hal_fence() before the write of stream[0].push"},
           {61,
            "stream[0].operation has not been written since the last write of stream[0].push: "
            "stage an instruction before each push"},
           {62, "stream[0].members has not been written since reset"},
           {63, "0 is not within 1 to 4294967295: an operand has at least one element"},
           {64, "the register is read-only"},
           {65, "field dtype has no value 7"},
           {66, "posted write at 0x40000000 (nvs.isa id)"},
           {67, "read of 4 bytes at 0x4000"},
           {68, "nvs.isa still writes it (destination of its operation, since"},
           {69, "nvs.isa still reads it (source of its operation, since"},
           {127, "0 is not within 1 to 4294967295: an operand has at least one element"},
           {128, "stream[0].members has not been written since reset"},
           {129, "read of stream[0].push (offset 0x83c) at"}}};
}

}  // namespace heddle
