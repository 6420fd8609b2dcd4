// Decoded code: a block is a run of instructions that begins where a jump leads and ends with one
// that always leaves it; branches on the way leave it only when taken. An operation is one decoded
// instruction: its handler does the work and calls the next one's, which the compiler turns into a
// jump.
#pragma once

#include <cstdint>
#include <vector>

#include "models/cpu/rv/isa.hpp"

namespace heddle::rv {

template <class X>
class hart;
template <class X>
struct block;
template <class X>
struct operation;

// A way out of a block: what has been executed up to here, and where it goes on.
template <class X>
struct block_exit {
  block<X>* to = nullptr;  // not known before the first time
  X pc = 0;
  std::uint32_t cycles = 0;
  std::uint32_t instructions = 0;
  X return_address = 0;  // of jumps
  X offset = 0;          // of jumps to a register
};

template <class X>
using handler = block_exit<X>* (*)(hart<X>&, const operation<X>*);

template <class X>
struct operation {
  handler<X> run = nullptr;
  union {
    X immediate;
    block_exit<X>* exit;
  };
  std::uint8_t rd = 0, rs1 = 0, rs2 = 0;
  std::uint8_t rs3 = 0, rounding = 0;  // of floating point
};

// The part of an operation that only traps, accesses to devices and reports need.
struct operation_detail {
  instruction source;
  std::uint32_t pc_offset = 0;
  std::uint32_t cycles_before = 0;
};

template <class X>
struct block {
  X pc = 0, end = 0;     // `end`: behind the last instruction
  bool has_end = false;  // the last operation is no instruction, but where the block was cut
  std::vector<operation<X>> operations;
  std::vector<operation_detail> details;
  std::vector<block_exit<X>> exits;
  std::vector<handler<X>> untraced;  // what the operations do, where each is reported before
};

}  // namespace heddle::rv
