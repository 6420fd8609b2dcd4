// Properties whose elements follow from their number, so that nobody has to store them: fp32 in
// [-1, 1), two of each word of a SplitMix64 sequence that a seed and the property's number begin.
// The sender computes them, the receiver computes them again and compares.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "platform/random/split_mix.hpp"

namespace heddle {

class property_values {
 public:
  property_values(std::uint64_t seed, std::uint64_t index)
      : random_(seed ^ (index + 1) * 0xd1342543de82ef95) {}

  // Element k of the property.
  static float value(std::uint64_t seed, std::uint64_t index, std::uint32_t k) {
    property_values values(seed, index);
    std::uint64_t word = 0;
    for (std::uint32_t i = 0; i <= k / 2; ++i) word = values.random_.next();
    return element(static_cast<std::uint32_t>(k % 2 == 0 ? word : word >> 32));
  }

  void fill(std::byte* to, std::size_t bytes) {
    std::size_t at = 0;
    for (; at + sizeof(std::uint64_t) <= bytes; at += sizeof(std::uint64_t)) {
      const std::uint64_t pair = next_pair();
      std::memcpy(to + at, &pair, sizeof pair);
    }
    if (at == bytes) return;
    const std::uint64_t pair = next_pair();
    std::memcpy(to + at, &pair, bytes - at);
  }
  // Whether all bytes are as they were filled.
  bool matches(const std::byte* data, std::size_t bytes) {
    std::size_t at = 0;
    std::uint64_t difference = 0;
    for (; at + sizeof(std::uint64_t) <= bytes; at += sizeof(std::uint64_t)) {
      std::uint64_t there = 0;
      std::memcpy(&there, data + at, sizeof there);
      difference |= there ^ next_pair();
    }
    if (at == bytes) return difference == 0;
    const std::uint64_t pair = next_pair();
    return difference == 0 && std::memcmp(data + at, &pair, bytes - at) == 0;
  }

 private:
  static float element(std::uint32_t bits) {
    return static_cast<float>(static_cast<std::int32_t>(bits) >> 8) * 0x1p-23F;
  }
  std::uint64_t next_pair() {
    const std::uint64_t word = random_.next();
    const float two[] = {element(static_cast<std::uint32_t>(word)),
                         element(static_cast<std::uint32_t>(word >> 32))};
    std::uint64_t pair = 0;
    std::memcpy(&pair, two, sizeof pair);
    return pair;
  }

  split_mix::sequence random_;
};

}  // namespace heddle
