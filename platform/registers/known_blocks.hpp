// Every block of registers that the program knows, also those that the system at hand has none of:
// messages name by it what firmware asks for in vain.
#pragma once

#include <cstdint>
#include <string>

namespace heddle {

struct register_file_description;

class known_blocks {
 public:
  static bool add(const register_file_description& block);  // true
  // "vector"; "block 0x12345678" for an id that no block has.
  static std::string name_of(std::uint32_t id);
};

}  // namespace heddle
