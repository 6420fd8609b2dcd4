// The variables of a program that devices have been told of: their addresses were written to a
// register, as that of a descriptor ring. Stores to them count as not fenced, for the contract of a
// doorbell.
//
// Limitations: what lies on the stack or on a heap has no symbol and is not known here.
#pragma once

#include <cstdint>
#include <vector>

#include "models/cpu/rv_core/loaded_program.hpp"

namespace heddle {

class shared_variables {
 public:
  // Both must outlive it.
  shared_variables(const loaded_program& program, rv::any_hart& hart)
      : program_(program), hart_(hart) {}

  // A device was given the value, an address in the core's memory: if it is that of a variable, the
  // bus sees the stores to the variable from now on.
  void add(std::uint64_t value);
  bool holds(std::uint64_t address) const;

 private:
  const loaded_program& program_;
  rv::any_hart& hart_;
  std::vector<const elf_symbol*> known_;
};

}  // namespace heddle
