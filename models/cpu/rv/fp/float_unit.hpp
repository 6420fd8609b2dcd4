// What the extensions F and D add to a hart: 32 registers of 64 bits, rounding mode and exceptions.
#pragma once

#include <array>
#include <cstdint>

#include "models/cpu/rv/fp/float_format.hpp"

namespace heddle::rv::fp {

struct float_unit {
  std::array<std::uint64_t, 32> registers{};
  // fflags, and how the instruction under way rounds. Not a local of its handler: that would keep
  // the compiler from turning the call of the next handler into a jump.
  status state;
  std::uint32_t frm = 0;  // 5 to 7 may be written and refuse whatever rounds by it
  bool is_on = false;     // mstatus.FS is not Off; from then on it reads Dirty

  // A single lies in the lower half below ones; anything else counts as a NaN.
  template <class B>
  B read(unsigned number) const {
    const std::uint64_t all = registers[number];
    if (sizeof(B) == 4 && all >> 32 != 0xffffffff) return canonical_nan<B>;
    return static_cast<B>(all);
  }
  template <class B>
  void write(unsigned number, B value) {
    registers[number] = sizeof(B) == 4 ? 0xffffffff00000000 | value : std::uint64_t{value};
  }
};

}  // namespace heddle::rv::fp
