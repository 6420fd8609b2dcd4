// Told what a hart executes. A hart without one runs through a loop that knows nothing of it.
#pragma once

#include <cstdint>
#include <vector>

#include "models/cpu/rv/block.hpp"
#include "models/cpu/rv/isa.hpp"

namespace heddle::rv {

enum class jump_kind : std::uint8_t { plain, call, leave, leave_trap };

// What a block has executed up to the way out that it took.
struct left_block {
  std::uint64_t pc = 0, end = 0;  // of the block; `end`: behind its last instruction
  std::uint64_t to = 0;           // where the program goes on
  std::uint64_t link = 0;         // of a call: where it returns to
  std::uint64_t cycles = 0;       // of the hart, now
  std::uint32_t cycles_inside = 0, instructions = 0;
  jump_kind kind = jump_kind::plain;
  const std::vector<operation_detail>* details = nullptr;  // of its instructions, in order
};

// An instruction about to be executed; what it does is there when the next one begins.
struct begun_instruction {
  instruction source;
  std::uint64_t pc = 0, cycles = 0;
};

class hart_observer {
 public:
  virtual void leaves(const left_block& left) = 0;
  // A trap or an interrupt, whose handler goes back to `pc`.
  virtual void traps(std::uint64_t pc, std::uint64_t handler, std::uint64_t cycles) = 0;
  // Where instructions are traced: any_hart::trace_instructions().
  virtual void begins(const begun_instruction& next) = 0;

 protected:
  ~hart_observer() = default;
};

}  // namespace heddle::rv
