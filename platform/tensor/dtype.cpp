#include "platform/tensor/dtype.hpp"

#include <array>
#include <cassert>
#include <cstring>

#include "platform/tensor/float_bits.hpp"
#include "platform/tensor/vector_clones.hpp"

namespace heddle {
namespace {

constexpr std::array<std::string_view, 6> names = {"fp16", "bf16", "fp32", "int32", "fp64", "fp8"};

// memcpy for each element: packets hold tensors at any alignment, and the compiler sees through it.
template <typename Word, typename Convert>
HEDDLE_IN_CLONE void widen(const void* source, double* destination, std::size_t elements,
                           Convert convert) {
  const auto* bytes = static_cast<const unsigned char*>(source);
  for (std::size_t i = 0; i < elements; ++i) {
    Word word;
    std::memcpy(&word, bytes + i * sizeof word, sizeof word);
    destination[i] = static_cast<double>(convert(word));
  }
}

template <typename Word, typename Convert>
void narrow(const float* source, void* destination, std::size_t elements, Convert convert) {
  auto* bytes = static_cast<unsigned char*>(destination);
  for (std::size_t i = 0; i < elements; ++i) {
    const Word word = convert(source[i]);
    std::memcpy(bytes + i * sizeof word, &word, sizeof word);
  }
}

std::int32_t saturate(float value) {
  if (value != value) return 0;
  if (value >= 0x1p31f) return INT32_MAX;
  if (value <= -0x1p31f) return INT32_MIN;
  return static_cast<std::int32_t>(value);
}

}  // namespace

std::string_view name_of(dtype type) {
  return names[static_cast<std::size_t>(type)];
}

std::optional<dtype> parse_dtype(std::string_view name) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return static_cast<dtype>(i);
  }
  return std::nullopt;
}

HEDDLE_CLONE_FOR_VECTORS void to_double(dtype type, const void* source, double* destination,
                                        std::size_t elements) {
  switch (type) {
    case dtype::fp16:
      return widen<std::uint16_t>(source, destination, elements,
                                  [](std::uint16_t half) { return fp16_to_fp32(half); });
    case dtype::bf16:
      return widen<std::uint16_t>(source, destination, elements,
                                  [](std::uint16_t brain) { return bf16_to_fp32(brain); });
    case dtype::fp32:
      return widen<float>(source, destination, elements, [](float value) { return value; });
    case dtype::int32:
      return widen<std::int32_t>(source, destination, elements, [](std::int32_t v) { return v; });
    case dtype::fp64:
      std::memcpy(destination, source, elements * sizeof *destination);
      return;
    case dtype::fp8:
      return widen<std::uint8_t>(source, destination, elements,
                                 [](std::uint8_t quarter) { return fp8_to_fp32(quarter); });
  }
  assert(false);
}

void from_float(dtype type, const float* source, void* destination, std::size_t elements) {
  switch (type) {
    case dtype::fp16:
      return narrow<std::uint16_t>(source, destination, elements,
                                   [](float value) { return fp32_to_fp16(value); });
    case dtype::bf16:
      return narrow<std::uint16_t>(source, destination, elements,
                                   [](float value) { return fp32_to_bf16(value); });
    case dtype::fp32:
      return narrow<float>(source, destination, elements, [](float value) { return value; });
    case dtype::int32:
      return narrow<std::int32_t>(source, destination, elements, saturate);
    case dtype::fp64:
      return narrow<double>(source, destination, elements,
                            [](float value) { return static_cast<double>(value); });
    case dtype::fp8:
      return narrow<std::uint8_t>(source, destination, elements,
                                  [](float value) { return fp32_to_fp8(value); });
  }
  assert(false);
}

}  // namespace heddle
