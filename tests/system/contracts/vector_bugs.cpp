// What the contracts say of the bugs of vector_bugs.c.
#include "tests/system/contracts/planted_bugs.hpp"

namespace heddle {

bug_file vector_bugs() {
  return {"vector_bugs.c",
          {{30,
            "1 store to memory is not fenced yet, the first at tests/system/contracts/"
            "vector_bugs.c:"},
           {31, "source has not been written since reset: write source first"},
           {32,
            "must not be written while status.state is BUSY: poll completed for the operation "
            "before"},
           {33, "may be written only while status.state is IDLE, which is BUSY"},
           {34, "may be written only while status.state is IDLE, which is BUSY"},
           {35, "must not be written while status.state is ERROR: write control.reset first"},
           {36, "0 is not within 1 to 1073741824: an operation has 1 to 2^30 elements"},
           {37, "field dtype has no value 15: one of FP16 (0), BF16 (1), FP32 (2), INT32 (3)"},
           {38, "sets the reserved bits 0x100000"},
           {39, "the register is write-only"},
           {40, "an access of 8 bytes to a register of 4"}}};
}

}  // namespace heddle
