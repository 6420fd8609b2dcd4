// What the contracts say of the bugs of multimem_bugs.c.
#include "tests/system/contracts/planted_bugs.hpp"

namespace heddle {

bug_file multimem_bugs() {
  return {
      "multimem_bugs.c",
      {{50, "call hal_fence() before the write of start"},
       {51, "operation has not been written since reset: write operation first"},
       {52, "must not be written while status.state is BUSY"},
       {53, "write its ones back to clear it before the next start"},
       {54, "the register is read-only"},
       {55, "field kind has no value 9: one of LD_REDUCE (0), ST (1), RED (2), ALL_REDUCE (3)"}}};
}

}  // namespace heddle
