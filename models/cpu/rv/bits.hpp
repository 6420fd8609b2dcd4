// Pieces of instruction words.
#pragma once

#include <cstdint>

namespace heddle::rv {

constexpr std::uint32_t bits_of(std::uint32_t word, int high, int low) {
  return (word >> low) & ((1U << (high - low + 1)) - 1);
}

// The lowest `width` bits, the topmost of them being the sign.
constexpr std::int32_t sign_extended(std::uint32_t value, int width) {
  return static_cast<std::int32_t>(value << (32 - width)) >> (32 - width);
}

}  // namespace heddle::rv
