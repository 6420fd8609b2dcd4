// Arithmetic of F and D at the speed of the host: what rounds to nearest even and gives a normal
// number is computed by the host, whose formats and rounding are the same; all else in integers.
//
// A normal result can have raised no exception but inexact. That one is known where fflags has it
// already, as after the first few operations of most programs; otherwise an exact remainder tells.
#pragma once

#include <cmath>
#include <cstring>

#include "models/cpu/rv/fp/soft_float.hpp"

namespace heddle::rv::fp {

template <class B>
typename format<B>::host to_host(B bits) {
  typename format<B>::host value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

template <class B>
B from_host(typename format<B>::host value) {
  B bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

// Far enough from both ends that neither the result nor a remainder of it leaves the range.
template <class B>
bool is_ordinary(B result) {
  constexpr int margin = format<B>::precision + 2;
  return static_cast<unsigned>(exponent_field(result) - margin) <
         static_cast<unsigned>(largest_field<B> - 2 * margin);
}

inline bool rounds_as_host(const status& s) {
  return s.mode == rounding::nearest_even;
}

inline void note(bool is_exact, status& s) {
  if (!is_exact) s.raise(inexact);
}

template <class B>
B add(B a, B b, status& s) {
  if (!rounds_as_host(s)) return soft_add(a, b, s);
  const auto x = to_host(a), y = to_host(b);
  const auto sum = x + y;
  const B result = from_host<B>(sum);
  if (!is_ordinary(result)) return soft_add(a, b, s);
  if ((s.flags & inexact) == 0) {
    const auto y_in_sum = sum - x;
    note((x - (sum - y_in_sum)) + (y - y_in_sum) == 0, s);
  }
  return result;
}

template <class B>
B sub(B a, B b, status& s) {
  return is_nan(b) ? soft_sub(a, b, s) : add<B>(a, b ^ sign_bit<B>, s);
}

template <class B>
B mul(B a, B b, status& s) {
  if (!rounds_as_host(s)) return soft_mul(a, b, s);
  const auto x = to_host(a), y = to_host(b);
  const B result = from_host<B>(x * y);
  if (!is_ordinary(result)) return soft_mul(a, b, s);
  if ((s.flags & inexact) == 0) note(std::fma(x, y, -to_host(result)) == 0, s);
  return result;
}

template <class B>
B div(B a, B b, status& s) {
  if (!rounds_as_host(s) || is_zero(b)) return soft_div(a, b, s);
  const auto x = to_host(a), y = to_host(b);
  const B result = from_host<B>(x / y);
  if (!is_ordinary(result) || !is_ordinary(a)) return soft_div(a, b, s);
  if ((s.flags & inexact) == 0) note(std::fma(to_host(result), y, -x) == 0, s);
  return result;
}

template <class B>
B sqrt(B a, status& s) {
  if (!rounds_as_host(s) || is_negative(a) || !is_ordinary(a)) return soft_sqrt(a, s);
  const auto x = to_host(a);
  const auto root = std::sqrt(x);
  if ((s.flags & inexact) == 0) note(std::fma(root, root, -x) == 0, s);
  return from_host<B>(root);
}

template <class B>
B fma(B a, B b, B c, status& s) {
  if (!rounds_as_host(s) || (s.flags & inexact) == 0) return soft_fma(a, b, c, s);
  const B result = from_host<B>(std::fma(to_host(a), to_host(b), to_host(c)));
  return is_ordinary(result) ? result : soft_fma(a, b, c, s);
}

}  // namespace heddle::rv::fp
