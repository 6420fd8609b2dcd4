// The bits of an array's element that a unit has: its parameters may ask for fewer than the
// description of its registers. The others read as zero and ignore writes, so that software which
// writes ones and reads them back finds what is there. The register test knows of it as well, and
// a register without any such bit is in no list of registers and in no wave.
#pragma once

#include <cstddef>
#include <cstdint>

#include "platform/registers/register_handle.hpp"

namespace heddle {

class existing_bits final : public register_element {
 public:
  explicit existing_bits(const register_element& of) : register_element(of) {}

  // `limited`: a register of the element.
  template <class T>
  void limit(const register_handle<T>& limited, std::uint64_t bits) const {
    register_cell& changed = cell(static_cast<std::size_t>(&limited.cell() - &cell(0)));
    changed.read_bits &= bits;
    changed.write_bits &= bits;
    changed.clear_bits &= bits;
    changed.set_bits &= bits;
    changed.read_clear_bits &= bits;
    changed.value &= bits;
  }
};

// Accesses to other registers are answered, but the unit has nothing there.
inline bool exists(const register_cell& cell) {
  return (cell.known_bits() | cell.clear_bits | cell.set_bits) != 0;
}

}  // namespace heddle
