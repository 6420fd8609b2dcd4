// Cycles of an instruction, by class.
#pragma once

#include <array>
#include <cstdint>

#include "models/cpu/rv/isa.hpp"

namespace heddle::rv {

struct cycle_costs {
  std::array<std::uint32_t, instruction_classes> of_class{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  std::uint32_t taken = 0;  // on top of a branch that is taken
  std::uint32_t trap = 0;   // from the instruction to the first of the handler

  std::uint32_t& operator[](instruction_class c) { return of_class[static_cast<std::size_t>(c)]; }
  std::uint32_t operator[](instruction_class c) const {
    return of_class[static_cast<std::size_t>(c)];
  }
};

}  // namespace heddle::rv
