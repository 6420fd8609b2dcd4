// Replays the accesses that an MMIO log holds of one unit, at their times, and compares what is
// read. The netlist is built as it is, but no core runs: the cores' stores to memory come from the
// log too, so that descriptors are there.
//
// What makes a unit replayable: its answers depend on accesses by cores that its log names, on the
// words that cores stored in memory, and on time. So a DMA engine finds its descriptors and copies
// again, a vector unit computes for as long, an in-switch accelerator takes its set-up. A poll that
// ends when a peer has done something differs where the peer's part is not in the log.
//
// Limitations: what peers did, other units, or the workload in memory is not in a log; an access
// over the fabric is logged without the unit that it reached, and is not repeated.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "platform/netlist/planner.hpp"

namespace heddle {

struct mmio_difference {
  std::string recorded, replayed;  // "12 us ... = 0x1 TLM_OK_RESPONSE", "= 0x0 TLM_OK_RESPONSE"
};

struct mmio_replay_report {
  std::uint64_t accesses = 0;  // of the unit
  std::uint64_t differing = 0;
  std::vector<mmio_difference> first;  // of those that differ
};

mmio_replay_report replay_mmio(const std::string& netlist,
                               const std::vector<netlist_override>& overrides,
                               const std::string& unit, const std::string& log);

}  // namespace heddle
