// Numbers with what they count.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace heddle {

// "1 packet", "3 packets": of words that take an s.
inline std::string counted(std::uint64_t number, std::string_view one) {
  return std::to_string(number) + " " + std::string(one) + (number == 1 ? "" : "s");
}

}  // namespace heddle
