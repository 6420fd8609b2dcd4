// What the instructions between registers compute. X: std::uint32_t or std::uint64_t.
#pragma once

#include <cstdint>
#include <type_traits>

namespace heddle::rv::arithmetic {

template <class X>
using signed_of = std::make_signed_t<X>;

template <class X>
constexpr X shift_mask = sizeof(X) * 8 - 1;

template <class X>
constexpr X add(X a, X b) {
  return a + b;
}
template <class X>
constexpr X sub(X a, X b) {
  return a - b;
}
template <class X>
constexpr X sll(X a, X b) {
  return a << (b & shift_mask<X>);
}
template <class X>
constexpr X slt(X a, X b) {
  return static_cast<signed_of<X>>(a) < static_cast<signed_of<X>>(b);
}
template <class X>
constexpr X sltu(X a, X b) {
  return a < b;
}
template <class X>
constexpr X bit_xor(X a, X b) {
  return a ^ b;
}
template <class X>
constexpr X srl(X a, X b) {
  return a >> (b & shift_mask<X>);
}
template <class X>
constexpr X sra(X a, X b) {
  return static_cast<X>(static_cast<signed_of<X>>(a) >> (b & shift_mask<X>));
}
template <class X>
constexpr X bit_or(X a, X b) {
  return a | b;
}
template <class X>
constexpr X bit_and(X a, X b) {
  return a & b;
}
template <class X>
constexpr X mul(X a, X b) {
  return a * b;
}

// Twice as wide as a register. __extension__: ISO C++ has no 128-bit integers.
template <class X>
struct wider {
  using is_unsigned = std::uint64_t;
  using is_signed = std::int64_t;
};
template <>
struct wider<std::uint64_t> {
  __extension__ using is_unsigned = unsigned __int128;
  __extension__ using is_signed = __int128;
};

template <class X>
constexpr X mulh(X a, X b) {
  using wide = typename wider<X>::is_signed;
  return static_cast<X>((wide{static_cast<signed_of<X>>(a)} * wide{static_cast<signed_of<X>>(b)}) >>
                        (sizeof(X) * 8));
}
template <class X>
constexpr X mulhsu(X a, X b) {
  using wide = typename wider<X>::is_signed;
  return static_cast<X>((wide{static_cast<signed_of<X>>(a)} * static_cast<wide>(b)) >>
                        (sizeof(X) * 8));
}
template <class X>
constexpr X mulhu(X a, X b) {
  using wide = typename wider<X>::is_unsigned;
  return static_cast<X>((wide{a} * wide{b}) >> (sizeof(X) * 8));
}

template <class X>
constexpr bool overflows(X a, X b) {
  return a == X{1} << shift_mask<X> && b == ~X{0};
}
template <class X>
constexpr X div(X a, X b) {
  if (b == 0) return ~X{0};
  if (overflows(a, b)) return a;
  return static_cast<X>(static_cast<signed_of<X>>(a) / static_cast<signed_of<X>>(b));
}
template <class X>
constexpr X divu(X a, X b) {
  return b == 0 ? ~X{0} : a / b;
}
template <class X>
constexpr X rem(X a, X b) {
  if (b == 0) return a;
  if (overflows(a, b)) return 0;
  return static_cast<X>(static_cast<signed_of<X>>(a) % static_cast<signed_of<X>>(b));
}
template <class X>
constexpr X remu(X a, X b) {
  return b == 0 ? a : a % b;
}

// The same on the lower 32 bits, the result sign-extended.
template <std::uint32_t (*compute)(std::uint32_t, std::uint32_t), class X>
constexpr X on_words(X a, X b) {
  const std::uint32_t result =
      compute(static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b));
  return static_cast<X>(static_cast<signed_of<X>>(static_cast<std::int32_t>(result)));
}

template <class X>
constexpr bool eq(X a, X b) {
  return a == b;
}
template <class X>
constexpr bool ne(X a, X b) {
  return a != b;
}
template <class X>
constexpr bool lt(X a, X b) {
  return slt(a, b) != 0;
}
template <class X>
constexpr bool ge(X a, X b) {
  return slt(a, b) == 0;
}
template <class X>
constexpr bool ltu(X a, X b) {
  return a < b;
}
template <class X>
constexpr bool geu(X a, X b) {
  return a >= b;
}

}  // namespace heddle::rv::arithmetic
