// Random numbers of one unit: xoshiro256** (Blackman and Vigna, 2018), seeded from the run's seed
// and the unit's path. Same seed and path, same numbers, whatever other units do.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "platform/random/split_mix.hpp"

namespace heddle {

class random_stream {
 public:
  random_stream(std::uint64_t seed, std::string_view path) {
    std::uint64_t mixed = seed;
    for (const char c : path)
      mixed = split_mix::mix((mixed ^ static_cast<unsigned char>(c)) + split_mix::golden_gamma);
    for (std::uint64_t& word : state_)
      word = split_mix::mix((mixed += split_mix::golden_gamma) + split_mix::golden_gamma);
  }

  std::uint64_t next() {
    const std::uint64_t result = rotate(state_[1] * 5, 7) * 9;
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = rotate(state_[3], 45);
    return result;
  }

  // In [0, 1), all 53 bits of the fraction random.
  static constexpr int bits_of_fraction = 53;
  double fraction() { return fraction_of(fraction_bits()); }
  std::uint64_t fraction_bits() { return next() >> (64 - bits_of_fraction); }
  static double fraction_of(std::uint64_t bits) { return static_cast<double>(bits) * 0x1p-53; }

  // In [0, limit), limit below 2^32; the bias is below limit / 2^64.
  std::uint32_t below(std::uint32_t limit) {
    __extension__ using wide = unsigned __int128;
    return static_cast<std::uint32_t>((static_cast<wide>(next()) * limit) >> 64);
  }

 private:
  static std::uint64_t rotate(std::uint64_t x, int by) { return x << by | x >> (64 - by); }

  std::array<std::uint64_t, 4> state_{};
};

}  // namespace heddle
