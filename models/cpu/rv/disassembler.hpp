// An instruction as text, as GNU objdump 2.40 prints it: short forms (`li`, `ret`, `beqz`), and the
// plain mnemonic where an operand is a constant (`add sp,sp,-16`).
#pragma once

#include <cstdint>
#include <string>

#include "models/cpu/rv/isa.hpp"

namespace heddle::rv {

struct disassembly {
  std::string text;         // "beqz a0,80000012": mnemonic, a blank, operands
  bool has_target = false;  // a jump to a known place, which the text ends with
  std::uint64_t target = 0;
};

disassembly disassemble(const instruction& i, std::uint64_t pc, int xlen);

// "sp"
const char* register_name(unsigned number);
const char* float_register_name(unsigned number);
// "mstatus", or "0x7c0" where it has none.
std::string csr_name(unsigned number);

}  // namespace heddle::rv
