// The lines of one core in an instruction_log:
//
//        21.500 ns  gpu[0].cp  80000012 <main+0x8>:    add sp,sp,-16      sp=0x800fffe0
//
// when the instruction begins, core, pc, symbol, instruction, then the register or the memory that
// it writes. Each core's lines are in order; the cores take turns by quanta, `sort -n` merges them.
//
// Limitations: what is written to CSRs, and by atomics to memory, is not shown.
#pragma once

#include <string>

#include "models/cpu/elf/symbol_table.hpp"
#include "models/cpu/rv/any_hart.hpp"
#include "platform/run/instruction_log.hpp"

namespace heddle {

class instruction_lines {
 public:
  instruction_lines(instruction_log& log, const std::string& core, const rv::any_hart& hart,
                    const symbol_table& symbols, fs_t cycle);

  // Whether instructions that begin between the two may be wanted.
  bool wants(fs_t from, fs_t to) const { return from <= log_.to() && to >= log_.from(); }
  void begin(const rv::begun_instruction& next);
  void trap(std::uint64_t pc, std::uint64_t handler);
  void finish();  // the one under way is done

 private:
  std::string place(std::uint64_t address) const;  // "80000012 <main+0x8>"
  std::string stored() const;

  instruction_log& log_;
  const std::string core_;
  const rv::any_hart& hart_;
  const symbol_table& symbols_;
  const fs_t cycle_;
  rv::begun_instruction pending_;
  std::string store_;  // of the pending one: "[0x80001000]=0x5", or where its trap leads
  bool is_pending_ = false, is_trapped_ = false;
};

}  // namespace heddle
