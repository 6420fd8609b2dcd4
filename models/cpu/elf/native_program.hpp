// This process as a program: which line of the firmware that is linked into it made a call.
#pragma once

#include <cstdint>

#include "models/cpu/elf/symbol_table.hpp"
#include "platform/registers/access_origin.hpp"

namespace heddle {

class native_program {
 public:
  // Reads symbols at first use, line tables when the first line is asked for.
  static native_program& instance();

  // `address`: where the call returns to.
  code_line caller_at(std::uint64_t address);
  std::string calling_function(std::uint64_t address) const;

 private:
  native_program();

  std::vector<std::byte> content_;  // of the executable, until its lines are read
  symbol_table functions_, lines_;
  std::uint64_t loaded_at_ = 0;  // where the program's address 0 is
};

}  // namespace heddle
