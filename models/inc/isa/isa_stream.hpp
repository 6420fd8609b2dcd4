// A stream: a synchronization resource and the queue of instructions that wait for it. Instructions
// of one stream start in order; streams do not wait for each other (SCIN 3.4).
#pragma once

#include <deque>
#include <memory>

#include "models/inc/isa/instruction.hpp"
#include "platform/time/agenda.hpp"
#include "platform/trace/trace_signal.hpp"

namespace heddle {

class isa_unit;

// An instruction that reduces.
struct pushed_reduction {
  member_mask source = 0;
  std::uint64_t offset = 0;  // of the operands in the memories of the members
  std::uint32_t length = 0;
  fs_t when = 0;
};

struct isa_stream {
  isa_stream(isa_unit& unit, int number);
  void expire();  // the watchdog

  using state = isa_regs::stream_status_state;
  using instruction_list = std::deque<std::unique_ptr<isa_instruction>>;

  isa_unit& owner;
  int index;
  instruction_list waiting;
  instruction_list active;                    // started, in order
  std::unique_ptr<isa_instruction> unpaired;  // quantized, its scale instruction has not come
  bool is_refusing = false;                   // a push was refused: those after it are dropped
  member_mask arrived = 0;
  fs_t first_arrival = fs_never;
  member_mask told_early = 0;  // of the error that stopped it, before they arrived
  bool is_resetting = false;   // what was active at a reset has not ended
  timed_call watchdog;
  // Of the latest job of the stream: with the identifier that was pushed last. Jobs in other
  // streams go on meanwhile, and their results are still to be checked.
  std::vector<pushed_reduction> reductions;
  std::uint32_t reductions_of = 0;  // that identifier
  trace_signal<state> state_trace;
  trace_signal<std::uint64_t> arrived_trace, queued_trace;

  bool may_start() const {
    if (is_resetting || waiting.empty()) return false;
    const isa_instruction& next = *waiting.front();
    return !next.fences || active.empty();
  }
};

}  // namespace heddle
