// This process as a program: which line of the firmware that is linked into it made a call.
#pragma once

#include <cstdint>

#include "models/cpu/elf/symbol_table.hpp"
#include "platform/registers/access_origin.hpp"

namespace heddle {

class native_program {
 public:
  // Reads symbols and line tables at first use: only reports need them.
  static const native_program& instance();

  // `address`: where the call returns to.
  code_line caller_at(std::uint64_t address) const;

 private:
  native_program();

  symbol_table symbols_;
  std::uint64_t loaded_at_ = 0;  // where the program's address 0 is
};

}  // namespace heddle
