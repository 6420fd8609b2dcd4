#include "models/cpu/rv/fp/soft_float.hpp"

#include <algorithm>
#include <utility>

namespace heddle::rv::fp {
namespace {

// ISO C++ has no 128-bit integers.
__extension__ using wide = unsigned __int128;

constexpr int wide_bits = 128;
constexpr wide top_bit = wide{1} << (wide_bits - 1);

// significand / 2^127 * 2^exponent, and a bit more where `is_sticky`. Bit 127 is set, or it is 0.
struct number {
  bool is_negative = false;
  int exponent = 0;
  wide significand = 0;
  bool is_sticky = false;
};

int leading_zeros(wide value) {
  const auto upper = static_cast<std::uint64_t>(value >> 64);
  return upper != 0 ? __builtin_clzll(upper)
                    : 64 + __builtin_clzll(static_cast<std::uint64_t>(value));
}

number normalized(number n) {
  if (n.significand == 0) return n;
  const int shift = leading_zeros(n.significand);
  n.significand <<= shift;
  n.exponent -= shift;
  return n;
}

// Splits a finite number.
template <class B>
number unpacked(B a) {
  const int field = exponent_field(a);
  const B fraction = a & fraction_mask<B>;
  number n;
  n.is_negative = is_negative(a);
  n.exponent = std::max(field, 1) - format<B>::bias;
  const B hidden = field == 0 ? B{0} : B{1} << fraction_bits<B>;
  n.significand = wide{static_cast<B>(fraction | hidden)} << (wide_bits - format<B>::precision);
  return normalized(n);
}

// A significand without its lower bits, and what these say about rounding.
struct shortened {
  wide kept = 0;
  bool rounds_up = false, is_inexact = false;
};

shortened shorten(const number& n, int discarded, rounding mode) {
  wide kept = 0, rest = n.significand, half = top_bit;
  if (discarded > wide_bits) {  // far below half of the last place
    rest = n.significand != 0 ? 1 : 0;
  } else if (discarded < wide_bits) {
    kept = n.significand >> discarded;
    rest = n.significand & ((wide{1} << discarded) - 1);
    half = wide{1} << (discarded - 1);
  }
  shortened made{kept, false, rest != 0 || n.is_sticky};
  switch (mode) {
    case rounding::nearest_even:
      made.rounds_up = rest > half || (rest == half && (n.is_sticky || (kept & 1) != 0));
      break;
    case rounding::nearest_away:
      made.rounds_up = rest >= half;
      break;
    case rounding::up:
      made.rounds_up = made.is_inexact && !n.is_negative;
      break;
    case rounding::down:
      made.rounds_up = made.is_inexact && n.is_negative;
      break;
    case rounding::toward_zero:
      break;
  }
  return made;
}

template <class B>
B signed_zero(bool is_negative) {
  return is_negative ? sign_bit<B> : B{0};
}

template <class B>
B signed_infinity(bool is_negative) {
  return signed_zero<B>(is_negative) | infinity<B>;
}

template <class B>
B overflowed(bool is_negative, status& s) {
  s.raise(overflow | inexact);
  const bool stays_finite = s.mode == rounding::toward_zero ||
                            (s.mode == rounding::down && !is_negative) ||
                            (s.mode == rounding::up && is_negative);
  return signed_infinity<B>(is_negative) - (stays_finite ? 1 : 0);
}

// Rounds to the precision of B, as if exponents had no limit: does the number stay below the least
// normal one?
template <class B>
bool is_tiny(const number& n, rounding mode) {
  constexpr int least = 1 - format<B>::bias;
  if (n.exponent >= least) return false;
  if (n.exponent < least - 1) return true;
  const shortened whole = shorten(n, wide_bits - format<B>::precision, mode);
  const bool carries = whole.rounds_up && whole.kept + 1 == wide{1} << format<B>::precision;
  return !carries;
}

template <class B>
B packed(const number& n, status& s) {
  constexpr int least = 1 - format<B>::bias;
  if (n.significand == 0) return signed_zero<B>(n.is_negative);
  const int below = n.exponent < least ? least - n.exponent : 0;
  const shortened made = shorten(n, wide_bits - format<B>::precision + below, s.mode);
  if (made.is_inexact) s.raise(inexact | (is_tiny<B>(n, s.mode) ? underflow : 0));
  // A carry out of the fraction goes into the exponent, which is what it should do.
  const B kept = static_cast<B>(made.kept) + (made.rounds_up ? 1 : 0);
  if (below > 0) return signed_zero<B>(n.is_negative) | kept;
  const int field = n.exponent + format<B>::bias;
  const bool carries = kept >> format<B>::precision != 0;
  if (field + (carries ? 1 : 0) >= largest_field<B>) return overflowed<B>(n.is_negative, s);
  const B exponent = static_cast<B>(field - 1) << fraction_bits<B>;
  return signed_zero<B>(n.is_negative) | static_cast<B>(exponent + kept);
}

template <class B>
B refused(status& s) {
  s.raise(invalid);
  return canonical_nan<B>;
}

// The result where an operand is a NaN.
template <class B>
B nan_of(bool any_signals, status& s) {
  if (any_signals) s.raise(invalid);
  return canonical_nan<B>;
}

// What is shifted out leaves a mark in the lowest bit.
wide shifted_right(wide value, int count) {
  if (count == 0) return value;
  if (count >= wide_bits) return value != 0 ? 1 : 0;
  const wide lost = value & ((wide{1} << count) - 1);
  return value >> count | (lost != 0 ? 1 : 0);
}

// Operands have at most 107 bits: one bit of room for a carry, and marks stay far below the last
// place that rounding looks at. Where a difference cancels more than one bit, nothing was shifted
// out.
number sum_of(number a, number b, rounding mode) {
  if (a.significand == 0 && b.significand == 0) {
    const bool is_negative =
        a.is_negative == b.is_negative ? a.is_negative : mode == rounding::down;
    return {is_negative, 0, 0, false};
  }
  if (a.significand == 0) return b;
  if (b.significand == 0) return a;
  if (a.exponent < b.exponent) std::swap(a, b);
  const wide upper = a.significand >> 1;
  const wide lower = shifted_right(b.significand >> 1, a.exponent - b.exponent);
  number sum{a.is_negative, a.exponent + 1, 0, false};
  if (a.is_negative == b.is_negative) {
    sum.significand = upper + lower;
  } else if (upper == lower) {
    return {mode == rounding::down, 0, 0, false};
  } else {
    sum.significand = upper > lower ? upper - lower : lower - upper;
    sum.is_negative = upper > lower ? a.is_negative : b.is_negative;
  }
  return normalized(sum);
}

// Upper halves alone are set.
number product_of(const number& a, const number& b) {
  const wide product = (a.significand >> 64) * (b.significand >> 64);
  return normalized({a.is_negative != b.is_negative, a.exponent + b.exponent + 1, product, false});
}

// The root of a number of 127 or 128 bits, rounded down.
std::uint64_t root_of(wide radicand) {
  std::uint64_t root = 0;
  for (int bit = 63; bit >= 0; --bit) {
    const std::uint64_t tried = root | std::uint64_t{1} << bit;
    if (wide{tried} * tried <= radicand) root = tried;
  }
  return root;
}

template <class B>
bool is_before(B a, B b) {  // neither is a NaN
  if (is_zero(a) && is_zero(b)) return false;
  if (is_negative(a) != is_negative(b)) return is_negative(a);
  return is_negative(a) ? a > b : a < b;
}

}  // namespace

template <class B>
B soft_add(B a, B b, status& s) {
  if (is_nan(a) || is_nan(b)) return nan_of<B>(is_signaling(a) || is_signaling(b), s);
  if (is_infinite(a)) return is_infinite(b) && is_negative(a) != is_negative(b) ? refused<B>(s) : a;
  if (is_infinite(b)) return b;
  return packed<B>(sum_of(unpacked(a), unpacked(b), s.mode), s);
}

template <class B>
B soft_sub(B a, B b, status& s) {
  return is_nan(b) ? soft_add(a, b, s) : soft_add<B>(a, b ^ sign_bit<B>, s);
}

template <class B>
B soft_mul(B a, B b, status& s) {
  if (is_nan(a) || is_nan(b)) return nan_of<B>(is_signaling(a) || is_signaling(b), s);
  const bool is_negative_product = is_negative(a) != is_negative(b);
  if (is_infinite(a) || is_infinite(b))
    return is_zero(a) || is_zero(b) ? refused<B>(s) : signed_infinity<B>(is_negative_product);
  return packed<B>(product_of(unpacked(a), unpacked(b)), s);
}

template <class B>
B soft_div(B a, B b, status& s) {
  if (is_nan(a) || is_nan(b)) return nan_of<B>(is_signaling(a) || is_signaling(b), s);
  const bool is_negative_quotient = is_negative(a) != is_negative(b);
  if (is_infinite(a))
    return is_infinite(b) ? refused<B>(s) : signed_infinity<B>(is_negative_quotient);
  if (is_infinite(b)) return signed_zero<B>(is_negative_quotient);
  if (is_zero(b)) {
    if (is_zero(a)) return refused<B>(s);
    s.raise(divided_by_zero);
    return signed_infinity<B>(is_negative_quotient);
  }
  if (is_zero(a)) return signed_zero<B>(is_negative_quotient);
  const number dividend = unpacked(a), divisor = unpacked(b);
  const wide above = dividend.significand >> 1, below = divisor.significand >> 64;
  const wide quotient = above / below;  // 63 or 64 bits
  const number made{is_negative_quotient, dividend.exponent - divisor.exponent, quotient << 64,
                    above % below != 0};
  return packed<B>(normalized(made), s);
}

template <class B>
B soft_sqrt(B a, status& s) {
  if (is_nan(a)) return nan_of<B>(is_signaling(a), s);
  if (is_zero(a)) return a;
  if (is_negative(a)) return refused<B>(s);
  if (is_infinite(a)) return a;
  const number n = unpacked(a);
  const bool is_odd = n.exponent % 2 != 0;
  const wide radicand = is_odd ? n.significand : n.significand >> 1;
  const std::uint64_t root = root_of(radicand);
  const int exponent = (n.exponent - (is_odd ? 1 : 0)) / 2;
  return packed<B>({false, exponent, wide{root} << 64, wide{root} * root != radicand}, s);
}

template <class B>
B soft_fma(B a, B b, B c, status& s) {
  const bool is_refused = (is_infinite(a) && is_zero(b)) || (is_zero(a) && is_infinite(b));
  if (is_refused) return refused<B>(s);  // also beside a quiet NaN
  if (is_nan(a) || is_nan(b) || is_nan(c))
    return nan_of<B>(is_signaling(a) || is_signaling(b) || is_signaling(c), s);
  const bool is_negative_product = is_negative(a) != is_negative(b);
  if (is_infinite(a) || is_infinite(b)) {
    if (is_infinite(c) && is_negative(c) != is_negative_product) return refused<B>(s);
    return signed_infinity<B>(is_negative_product);
  }
  if (is_infinite(c)) return c;
  return packed<B>(sum_of(product_of(unpacked(a), unpacked(b)), unpacked(c), s.mode), s);
}

template <class B>
B minimum(B a, B b, status& s) {
  if (is_signaling(a) || is_signaling(b)) s.raise(invalid);
  if (is_nan(a)) return is_nan(b) ? canonical_nan<B> : b;
  if (is_nan(b)) return a;
  if (is_zero(a) && is_zero(b)) return is_negative(a) ? a : b;
  return is_before(b, a) ? b : a;
}

template <class B>
B maximum(B a, B b, status& s) {
  if (is_signaling(a) || is_signaling(b)) s.raise(invalid);
  if (is_nan(a)) return is_nan(b) ? canonical_nan<B> : b;
  if (is_nan(b)) return a;
  if (is_zero(a) && is_zero(b)) return is_negative(a) ? b : a;
  return is_before(a, b) ? b : a;
}

template <class B>
bool equal(B a, B b, status& s) {
  if (is_signaling(a) || is_signaling(b)) s.raise(invalid);
  if (is_nan(a) || is_nan(b)) return false;
  return a == b || (is_zero(a) && is_zero(b));
}

template <class B>
bool less(B a, B b, status& s) {
  if (is_nan(a) || is_nan(b)) {
    s.raise(invalid);
    return false;
  }
  return is_before(a, b);
}

template <class B>
bool less_or_equal(B a, B b, status& s) {
  if (is_nan(a) || is_nan(b)) {
    s.raise(invalid);
    return false;
  }
  return !is_before(b, a);
}

template <class B>
std::uint32_t classify(B a) {
  if (is_nan(a)) return is_signaling(a) ? 1U << 8 : 1U << 9;
  // From negative infinity to negative zero; the positive ones mirror them.
  const int kind = is_infinite(a) ? 0 : is_zero(a) ? 3 : exponent_field(a) == 0 ? 2 : 1;
  return 1U << (is_negative(a) ? kind : 7 - kind);
}

template <class To, class From>
To convert(From a, status& s) {
  if (is_nan(a)) return nan_of<To>(is_signaling(a), s);
  if (is_infinite(a)) return signed_infinity<To>(is_negative(a));
  return packed<To>(unpacked(a), s);
}

template <class B>
std::uint64_t to_integer(B a, int bits, bool is_signed, status& s) {
  const int value_bits = is_signed ? bits - 1 : bits;
  const std::uint64_t most = ~std::uint64_t{0} >> (64 - value_bits);
  const std::uint64_t least = is_signed ? ~most : 0;
  const auto extended = [&](std::uint64_t value) {
    return bits == 32 ? static_cast<std::uint64_t>(
                            static_cast<std::int64_t>(static_cast<std::int32_t>(value)))
                      : value;
  };
  const auto out_of_range = [&](bool is_negative) {
    s.raise(invalid);
    return extended(is_negative ? least : most);
  };
  if (is_nan(a)) return out_of_range(false);
  if (is_infinite(a)) return out_of_range(is_negative(a));
  const number n = unpacked(a);
  if (n.significand == 0) return 0;
  if (n.exponent > 64) return out_of_range(n.is_negative);
  const shortened made = shorten(n, wide_bits - 1 - n.exponent, s.mode);
  const wide rounded = made.kept + (made.rounds_up ? 1 : 0);
  const wide limit = n.is_negative ? (is_signed ? wide{most} + 1 : 0) : wide{most};
  if (rounded > limit) return out_of_range(n.is_negative);
  if (made.is_inexact) s.raise(inexact);
  const auto value = static_cast<std::uint64_t>(rounded);
  return extended(n.is_negative ? 0 - value : value);
}

template <class B>
B from_signed(std::int64_t a, status& s) {
  const bool is_negative = a < 0;
  const std::uint64_t value =
      is_negative ? 0 - static_cast<std::uint64_t>(a) : static_cast<std::uint64_t>(a);
  return packed<B>(normalized({is_negative, 63, wide{value} << 64, false}), s);
}

template <class B>
B from_unsigned(std::uint64_t a, status& s) {
  return packed<B>(normalized({false, 63, wide{a} << 64, false}), s);
}

template std::uint32_t convert<std::uint32_t, std::uint64_t>(std::uint64_t, status&);
template std::uint64_t convert<std::uint64_t, std::uint32_t>(std::uint32_t, status&);

template std::uint32_t soft_add(std::uint32_t, std::uint32_t, status&);
template std::uint32_t soft_sub(std::uint32_t, std::uint32_t, status&);
template std::uint32_t soft_mul(std::uint32_t, std::uint32_t, status&);
template std::uint32_t soft_div(std::uint32_t, std::uint32_t, status&);
template std::uint32_t soft_sqrt(std::uint32_t, status&);
template std::uint32_t soft_fma(std::uint32_t, std::uint32_t, std::uint32_t, status&);
template std::uint32_t minimum(std::uint32_t, std::uint32_t, status&);
template std::uint32_t maximum(std::uint32_t, std::uint32_t, status&);
template bool equal(std::uint32_t, std::uint32_t, status&);
template bool less(std::uint32_t, std::uint32_t, status&);
template bool less_or_equal(std::uint32_t, std::uint32_t, status&);
template std::uint32_t classify(std::uint32_t);
template std::uint64_t to_integer(std::uint32_t, int, bool, status&);
template std::uint32_t from_signed<std::uint32_t>(std::int64_t, status&);
template std::uint32_t from_unsigned<std::uint32_t>(std::uint64_t, status&);
template std::uint64_t soft_add(std::uint64_t, std::uint64_t, status&);
template std::uint64_t soft_sub(std::uint64_t, std::uint64_t, status&);
template std::uint64_t soft_mul(std::uint64_t, std::uint64_t, status&);
template std::uint64_t soft_div(std::uint64_t, std::uint64_t, status&);
template std::uint64_t soft_sqrt(std::uint64_t, status&);
template std::uint64_t soft_fma(std::uint64_t, std::uint64_t, std::uint64_t, status&);
template std::uint64_t minimum(std::uint64_t, std::uint64_t, status&);
template std::uint64_t maximum(std::uint64_t, std::uint64_t, status&);
template bool equal(std::uint64_t, std::uint64_t, status&);
template bool less(std::uint64_t, std::uint64_t, status&);
template bool less_or_equal(std::uint64_t, std::uint64_t, status&);
template std::uint32_t classify(std::uint64_t);
template std::uint64_t to_integer(std::uint64_t, int, bool, status&);
template std::uint64_t from_signed<std::uint64_t>(std::int64_t, status&);
template std::uint64_t from_unsigned<std::uint64_t>(std::uint64_t, status&);

}  // namespace heddle::rv::fp
