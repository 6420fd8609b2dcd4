// What the contracts say of the bugs of gather_bugs.c.
#include "tests/system/contracts/planted_bugs.hpp"

namespace heddle {

bug_file gather_bugs() {
  return {
      "gather_bugs.c",
      {{70,
        "must not be written while unit[0].status.state is RUN: wait for the interrupt, or poll "
        "status, before the next command"},
       {71,
        "the filter has 0 bits for 64 columns: set filter_bits and write clear before a command "
        "that filters"},
       {72,
        "the filter has bits of a command that failed, and whose properties may not be used: "
        "gather its list again without the filter, or clear the filter"},
       {73, "unit[0].indices has not been written since reset: tell the unit what to gather"},
       {74, "must not be written while unit[0].status.state is FAILED: write control.reset first"},
       {75, "call hal_fence() before the write of unit[0].doorbell"},
       {76, "may be written only while unit[0].status.state is IDLE, which is RUN"},
       {77,
        "a property of 1500 B fits into no packet of 1500 B, which leaves 1418 B for it: cut "
        "longer ones into slices"},
       {78, "unit 0 is a server: `clients` says who is a client"},
       {79, "node[0].nic still reads it (source of its operation, since"}}};
}

}  // namespace heddle
