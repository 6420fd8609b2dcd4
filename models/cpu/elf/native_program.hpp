// This process as a program: which line of the firmware that is linked into it, or was loaded as a
// shared object, made a call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "models/cpu/elf/symbol_table.hpp"
#include "platform/contracts/access_origin.hpp"

namespace heddle {

class native_program {
 public:
  static native_program& instance();

  // `address`: where the call returns to. Functions of C++ have their names of the source.
  code_line caller_at(std::uint64_t address);
  std::string calling_function(std::uint64_t address);

 private:
  // The program or a shared object. Symbols are read at first use, line tables when the first line
  // is asked for.
  struct object {
    std::vector<std::byte> content;  // until its lines are read
    symbol_table functions, lines;
  };

  native_program() = default;
  object& object_of(const std::string& file);

  std::map<std::string, object> by_file_;
};

}  // namespace heddle
