// The formats of 16 and of 8 bits by definition, in double arithmetic: slow, and nothing like the
// code it tests.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

namespace heddle::slow {

struct format {
  int fraction_bits;
  int bias;
  int exponents;  // all ones
};

inline constexpr format fp16{10, 15, 31};
inline constexpr format bf16{7, 127, 255};
inline constexpr format fp8{2, 15, 31};

constexpr int sign_of(const format& f) {
  return (f.exponents + 1) << f.fraction_bits;
}

inline double value(const format& f, std::uint16_t bits) {
  const double sign = (bits & sign_of(f)) != 0 ? -1.0 : 1.0;
  const int exponent = (bits >> f.fraction_bits) & f.exponents;
  const int fraction = bits & ((1 << f.fraction_bits) - 1);
  if (exponent == f.exponents) {
    return fraction != 0 ? std::numeric_limits<double>::quiet_NaN()
                         : sign * std::numeric_limits<double>::infinity();
  }
  const double significand = exponent == 0 ? fraction : fraction + (1 << f.fraction_bits);
  return sign * std::ldexp(significand, (exponent == 0 ? 1 : exponent) - f.bias - f.fraction_bits);
}

inline std::uint16_t quiet_nan(const format& f) {
  return static_cast<std::uint16_t>((2 * f.exponents + 1) << (f.fraction_bits - 1));
}

// Nearest, ties to even; exact inputs only, so that it rounds once.
inline std::uint16_t round(const format& f, double x) {
  if (std::isnan(x)) return quiet_nan(f);
  const int sign = std::signbit(x) ? sign_of(f) : 0;
  const int infinity = f.exponents << f.fraction_bits;
  int exponent = 0;
  if (std::isfinite(x) && x != 0) exponent = std::ilogb(x) + f.bias;
  if (exponent < 1) exponent = 1;
  // Steps of the last place: a carry into the next exponent continues the same count.
  const double steps =
      std::nearbyint(std::ldexp(std::fabs(x), f.bias + f.fraction_bits - exponent));
  const double magnitude = steps + std::ldexp(exponent - 1, f.fraction_bits);
  return static_cast<std::uint16_t>(
      sign | (magnitude < infinity ? static_cast<int>(magnitude) : infinity));
}

}  // namespace heddle::slow
