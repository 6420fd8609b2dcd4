// What the parts of a block are called in generated code.
#pragma once

#include <string>

#include "tools/regs/block.hpp"

namespace heddle::regs {

// "channel_status": the register's name in the block, array first.
inline std::string stem(const reg& of, const reg_array* array) {
  return array == nullptr ? of.name : array->name + "_" + of.name;
}

inline std::string upper_case(std::string name) {
  for (char& c : name) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return name;
}

// "DMA_CHANNEL_STATUS": the macro of the offset, front of all macros of the register.
inline std::string macro(const block& of, const std::string& name) {
  return upper_case(of.name + "_" + name);
}

// "7:4", or "3" for one bit.
inline std::string bits_text(const field& of) {
  const std::string low = std::to_string(of.low);
  return of.width == 1 ? low : std::to_string(of.low + of.width - 1) + ":" + low;
}

inline const char* word_type(const reg& of) {
  return of.width == 64 ? "std::uint64_t" : "std::uint32_t";
}

}  // namespace heddle::regs
