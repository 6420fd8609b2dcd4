// The interchange formats of F and D as bits, and what goes with an operation on them: how it
// rounds, and which exceptions it has raised (RISC-V unprivileged, chapters F and D).
#pragma once

#include <cstdint>

namespace heddle::rv::fp {

// As frm and the rm field of instructions number them; 7 in an instruction stands for frm.
enum class rounding : std::uint8_t {
  nearest_even = 0,
  toward_zero = 1,
  down = 2,
  up = 3,
  nearest_away = 4,
};

// Bits of fflags.
inline constexpr std::uint32_t inexact = 1, underflow = 2, overflow = 4, divided_by_zero = 8,
                               invalid = 16;

struct status {
  rounding mode = rounding::nearest_even;
  std::uint32_t flags = 0;

  void raise(std::uint32_t more) { flags |= more; }
};

// B: std::uint32_t of single, std::uint64_t of double precision.
template <class B>
struct format;

template <>
struct format<std::uint32_t> {
  using host = float;
  static constexpr int precision = 24;  // bits of the significand, the hidden one included
  static constexpr int bias = 127;
};

template <>
struct format<std::uint64_t> {
  using host = double;
  static constexpr int precision = 53;
  static constexpr int bias = 1023;
};

template <class B>
inline constexpr int fraction_bits = format<B>::precision - 1;
template <class B>
inline constexpr B sign_bit = B{1} << (sizeof(B) * 8 - 1);
template <class B>
inline constexpr B fraction_mask = (B{1} << fraction_bits<B>)-1;
template <class B>
inline constexpr B infinity = static_cast<B>(~sign_bit<B>) & static_cast<B>(~fraction_mask<B>);
// Of every NaN that an operation makes.
template <class B>
inline constexpr B canonical_nan = infinity<B> | B{1} << (fraction_bits<B> - 1);
template <class B>
inline constexpr int largest_field = 2 * format<B>::bias + 1;  // of the exponent

template <class B>
constexpr int exponent_field(B a) {
  return static_cast<int>(a >> fraction_bits<B>) & largest_field<B>;
}
template <class B>
constexpr B magnitude(B a) {
  return a & static_cast<B>(~sign_bit<B>);
}
template <class B>
constexpr bool is_negative(B a) {
  return (a & sign_bit<B>) != 0;
}
template <class B>
constexpr bool is_nan(B a) {
  return magnitude(a) > infinity<B>;
}
template <class B>
constexpr bool is_signaling(B a) {
  return is_nan(a) && (a >> (fraction_bits<B> - 1) & 1) == 0;
}
template <class B>
constexpr bool is_infinite(B a) {
  return magnitude(a) == infinity<B>;
}
template <class B>
constexpr bool is_zero(B a) {
  return magnitude(a) == 0;
}

}  // namespace heddle::rv::fp
