// The lines of one core in an instruction_log:
//
//        21.500 ns  gpu[0].cp  80000012 <main+0x8>:    add sp,sp,-16      sp=0x800fffe0
//
// when the instruction begins, core, pc, symbol, instruction, then the registers and the memory
// that it writes. Each core's lines are in order; the cores take turns by quanta, `sort -n` merges
// them. A trap or interrupt that is taken has a line of its own, `mret` says where it goes:
//
//     30.500 ns  cp  trap: timer interrupt, epc 80000012 <main+0x8>, tval 0x0, to 80000200 <isr>
//
// An instruction that traps is listed before its trap and does not count as executed. A trap that
// ends the program has `no handler`; the store that ends one is executed.
//
// Where the result of an atomic goes to x0, the word that was there is not known: its line has the
// operation and the operand in place of the new one, `[0x80001000] add 0x5`.
//
// Limitations: flags that floating point raises in fcsr are not shown, nor the word of a
// store-conditional whose result goes to x0.
#pragma once

#include <string>

#include "models/cpu/elf/symbol_table.hpp"
#include "models/cpu/rv/any_hart.hpp"
#include "models/cpu/rv/csr_file.hpp"
#include "platform/run/instruction_log.hpp"

namespace heddle {

class instruction_lines {
 public:
  instruction_lines(instruction_log& log, const std::string& core, rv::any_hart& hart,
                    const symbol_table& symbols, fs_t cycle);

  // Whether instructions that begin between the two may be wanted.
  bool wants(fs_t from, fs_t to) const { return from <= log_.to() && to >= log_.from(); }
  void begin(const rv::begun_instruction& next);
  // The hart goes to the handler; its CSRs say why.
  void trap(std::uint64_t pc, std::uint64_t handler, std::uint64_t cycles);
  void trap_unhandled();  // the hart has stopped
  void finish();          // the one under way is done
  void break_off();       // or, if it calls the bus, will never be

 private:
  std::string label_of(std::uint64_t address) const;  // "80000012 <main+0x8>"
  bool is_wanted(fs_t time) const { return time >= log_.from() && time <= log_.to(); }
  std::string stored() const;
  std::string written() const;
  std::string written_by_atomic() const;
  std::uint64_t csr(rv::csr number) const;
  std::string front(std::uint64_t cycles) const;  // time and core
  void finish_without_result();
  // `whereto`: behind the trap.
  void write_trap(std::uint64_t cause, std::uint64_t pc, std::uint64_t value, std::uint64_t cycles,
                  const std::string& whereto);
  void write(const std::string& line);

  instruction_log& log_;
  const std::string core_;
  rv::any_hart& hart_;
  const symbol_table& symbols_;
  const fs_t cycle_;
  rv::begun_instruction pending_;
  std::uint64_t address_ = 0, operand_ = 0;  // of the pending one, where it is an atomic
  std::string store_;  // of the pending one: "[0x80001000]=0x5", or where mret goes
  bool is_pending_ = false, is_trapped_ = false;
};

}  // namespace heddle
