// Element types of a tensor. Bytes in memory are those on the wire: little-endian, packed.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace heddle {

// fp8 has five bits of exponent and two of fraction (E5M2): the upper half of an fp16.
enum class dtype { fp16, bf16, fp32, int32, fp64, fp8 };
inline constexpr dtype last_dtype = dtype::fp8;

constexpr std::size_t size_of(dtype type) {
  if (type == dtype::fp64) return 8;
  if (type == dtype::fp8) return 1;
  return type == dtype::fp16 || type == dtype::bf16 ? 2 : 4;
}

// What it divides is a whole number of elements of any type.
inline constexpr std::size_t largest_size = size_of(dtype::fp64);

std::string_view name_of(dtype type);

// The type named "fp16", "bf16", "fp32", "int32", "fp64" or "fp8".
std::optional<dtype> parse_dtype(std::string_view name);

// Exact: every value of every type is a double. source needs no alignment.
void to_double(dtype type, const void* source, double* destination, std::size_t elements);

// Rounds to nearest, ties to even; int32 takes the float's value toward zero and saturates, NaN
// becomes 0. destination needs no alignment.
void from_float(dtype type, const float* source, void* destination, std::size_t elements);

}  // namespace heddle
