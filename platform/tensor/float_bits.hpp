// fp16, bf16, fp8 and fp32 as bit patterns, and the conversions between them.
//
// Rounding is to nearest, ties to even; subnormals and infinities are exact. Widening keeps a NaN's
// payload; narrowing turns every NaN into the canonical quiet NaN: positive, only the quiet bit
// set.
//
// Nothing branches and no shift depends on data, so that loops over these vectorize on any target.
// The additions below round only where a subnormal result must: the floating-point environment has
// to be the default one (nearest, subnormals not flushed).
#pragma once

#include <cstdint>
#include <cstring>

namespace heddle {

struct fp16_format {
  using word = std::uint16_t;
  static constexpr word infinity = 0x7c00;
  static constexpr word quiet_nan = 0x7e00;
  static constexpr float subnormal_unit = 0.5f;  // whose last place is the smallest subnormal
};

struct bf16_format {
  using word = std::uint16_t;
  static constexpr word infinity = 0x7f80;
  static constexpr word quiet_nan = 0x7fc0;
};

// With infinities and NaNs as IEEE 754 has them, which is FPnew's FP8 and the E5M2 of the Open
// Compute Project.
struct fp8_format {
  using word = std::uint8_t;
  static constexpr word infinity = 0x7c;
  static constexpr word quiet_nan = 0x7e;
  static constexpr float subnormal_unit = 128.0f;
};

struct fp32_format {
  using word = std::uint32_t;
  static constexpr word infinity = 0x7f800000;
  static constexpr word quiet_nan = 0x7fc00000;
};

struct fp64_format {
  using word = std::uint64_t;
  static constexpr word infinity = 0x7ff0000000000000;
  static constexpr word quiet_nan = 0x7ff8000000000000;
};

inline std::uint32_t bits_of(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

inline float float_of(std::uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

namespace detail {
// `yes` where a < b, both below 2^31. By the sign of the difference, for arms with floating-point
// work: compilers make a branch of any comparison around that, which keeps loops from vectors.
inline std::uint32_t select_below(std::uint32_t a, std::uint32_t b, std::uint32_t yes,
                                  std::uint32_t no) {
  const auto mask = static_cast<std::uint32_t>(static_cast<std::int32_t>(a - b) >> 31);
  return no ^ ((yes ^ no) & mask);
}

// Compared as signed numbers: SSE2 and its peers have no unsigned comparison.
inline bool below(std::uint32_t a, std::uint32_t b) {
  return static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b);
}

constexpr std::uint32_t fp32_magnitude = 0x7fffffff;
constexpr std::uint32_t rebias = (127u - 15u) << 23;  // from fp16's exponent to fp32's
constexpr std::uint32_t smallest_fp16_normal = (127u - 14u) << 23;  // 2^-14 as fp32

// To fp16, or to fp8 which has the same exponents.
template <class Format>
typename Format::word narrowed(float value) {
  constexpr unsigned sign_shift = 32 - 8 * sizeof(typename Format::word);
  constexpr unsigned shift = sign_shift - 3;  // exponents of fp32 have three bits more
  constexpr std::uint32_t half = (1u << (shift - 1)) - 1;
  const std::uint32_t bits = bits_of(value);
  const std::uint32_t sign = (bits & ~fp32_magnitude) >> sign_shift;
  const std::uint32_t magnitude = bits & fp32_magnitude;
  const std::uint32_t odd = (magnitude >> shift) & 1u;
  const std::uint32_t normal = (magnitude - rebias + half + odd) >> shift;
  // The addition rounds to a subnormal.
  const std::uint32_t subnormal =
      bits_of(float_of(magnitude) + Format::subnormal_unit) - bits_of(Format::subnormal_unit);
  const std::uint32_t rounded = select_below(magnitude, smallest_fp16_normal, subnormal, normal);
  const bool overflows = below(Format::infinity, rounded);
  const std::uint32_t number = overflows ? Format::infinity : rounded;
  const bool is_nan = below(fp32_format::infinity, magnitude);
  return static_cast<typename Format::word>(is_nan ? Format::quiet_nan : (sign | number));
}
}  // namespace detail

inline float fp16_to_fp32(std::uint16_t half) {
  const std::uint32_t wide = half;
  const std::uint32_t sign = (wide & 0x8000u) << 16;
  const std::uint32_t magnitude = (wide & 0x7fffu) << 13;
  const std::uint32_t normal = magnitude + detail::rebias;
  const std::uint32_t special = normal + detail::rebias;  // infinity and NaN: exponent 31 to 255
  // m * 2^-24 is what 2^-14 + m * 2^-24, whose fraction is m, exceeds 2^-14 by.
  const std::uint32_t subnormal =
      bits_of(float_of(magnitude + detail::smallest_fp16_normal) - 0x1p-14f);
  const std::uint32_t finite = detail::select_below(magnitude, 1u << 23, subnormal, normal);
  return float_of(sign | detail::select_below(magnitude, 31u << 23, finite, special));
}

inline std::uint16_t fp32_to_fp16(float value) {
  return detail::narrowed<fp16_format>(value);
}

inline float fp8_to_fp32(std::uint8_t quarter) {
  return fp16_to_fp32(static_cast<std::uint16_t>(quarter << 8));
}

inline std::uint8_t fp32_to_fp8(float value) {
  return detail::narrowed<fp8_format>(value);
}

inline float bf16_to_fp32(std::uint16_t brain) {
  return float_of(std::uint32_t{brain} << 16);
}

inline std::uint16_t fp32_to_bf16(float value) {
  const std::uint32_t bits = bits_of(value);
  const std::uint32_t odd = (bits >> 16) & 1u;
  const std::uint32_t rounded = (bits + 0x7fffu + odd) >> 16;
  const bool is_nan = detail::below(fp32_format::infinity, bits & detail::fp32_magnitude);
  return static_cast<std::uint16_t>(is_nan ? bf16_format::quiet_nan : rounded);
}

}  // namespace heddle
