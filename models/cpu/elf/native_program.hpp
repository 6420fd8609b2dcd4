// This process as a program: which line of the firmware that is linked into it, or was loaded as a
// shared object, made a call.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "models/cpu/elf/symbol_table.hpp"
#include "platform/registers/access_origin.hpp"

namespace heddle {

class native_program {
 public:
  static native_program& instance();

  // `address`: where the call returns to. Functions of C++ have their names of the source.
  code_line caller_at(std::uint64_t address);

 private:
  native_program() = default;
  // Of a file; read at first use, because only reports need it.
  const symbol_table& symbols_of(const std::string& file);

  std::map<std::string, symbol_table> by_file_;
};

}  // namespace heddle
