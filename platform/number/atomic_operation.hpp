// What an atomic access does to the word it names: the operations of RISC-V's A extension, and the
// compare-and-swap that a store-conditional becomes.
#pragma once

#include <cstdint>
#include <type_traits>

namespace heddle {

enum class atomic_operation : std::uint8_t {
  add,
  swap,
  bit_xor,
  bit_and,
  bit_or,
  min,
  max,
  minu,
  maxu,
  compare_and_swap,
};
inline constexpr int atomic_operations = 10;

inline constexpr const char* atomic_names[atomic_operations] = {
    "add", "swap", "xor", "and", "or", "min", "max", "minu", "maxu", "compare-and-swap"};
inline const char* name_of(atomic_operation operation) {
  return atomic_names[static_cast<int>(operation)];
}

// What the word is afterwards. T: std::uint32_t or std::uint64_t. `expected` is of a
// compare-and-swap alone.
template <class T>
constexpr T performed(atomic_operation operation, T before, T operand, T expected) {
  using signed_t = std::make_signed_t<T>;
  const bool is_less = static_cast<signed_t>(before) < static_cast<signed_t>(operand);
  switch (operation) {
    case atomic_operation::swap:
      return operand;
    case atomic_operation::bit_xor:
      return before ^ operand;
    case atomic_operation::bit_and:
      return before & operand;
    case atomic_operation::bit_or:
      return before | operand;
    case atomic_operation::min:
      return is_less ? before : operand;
    case atomic_operation::max:
      return is_less ? operand : before;
    case atomic_operation::minu:
      return before < operand ? before : operand;
    case atomic_operation::maxu:
      return before < operand ? operand : before;
    case atomic_operation::compare_and_swap:
      return before == expected ? operand : before;
    default:
      return before + operand;
  }
}

// What one access does to a word of 4 or 8 bytes.
struct atomic_update {
  atomic_operation operation = atomic_operation::add;
  std::uint64_t operand = 0;
  std::uint64_t expected = 0;  // of a compare-and-swap

  std::uint64_t result(std::uint64_t before, unsigned bytes) const {
    if (bytes == 8) return performed<std::uint64_t>(operation, before, operand, expected);
    return performed<std::uint32_t>(operation, static_cast<std::uint32_t>(before),
                                    static_cast<std::uint32_t>(operand),
                                    static_cast<std::uint32_t>(expected));
  }
};

}  // namespace heddle
