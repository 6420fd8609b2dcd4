// How many trials fail in a row before one succeeds, drawn by inversion: the whole part of
// log(1 - fraction) / log(probability to fail). A table has the fractions at which the short
// lengths begin, so that most draws take neither a logarithm nor a division.
#pragma once

#include <array>
#include <cstdint>

#include "platform/random/random_stream.hpp"

namespace heddle {

class geometric_lengths {
 public:
  // Logarithm of the probability to fail, below 0; minus infinity: no trial fails. Tables are made
  // once and kept, because sources of a run mostly have the same load.
  static const geometric_lengths& with_log(double log_failing);

  explicit geometric_lengths(double log_failing);

  static constexpr std::uint64_t without_end = UINT64_MAX;  // of what is longer than 1e18

  std::uint64_t draw(random_stream& random) const {
    const std::uint64_t drawn = random.fraction_bits();
    std::uint32_t length = from_[drawn >> guide_shift];
    while (drawn >= begin_[length + 1]) ++length;
    return __builtin_expect(length < known, 1) ? length : long_length(drawn);
  }

 private:
  static constexpr int guide_bits = 7, guide_shift = random_stream::bits_of_fraction - guide_bits;
  static constexpr std::uint32_t known = 128;  // lengths from 0 on; the next stands for the others

  double by_logarithm(std::uint64_t drawn) const;
  std::uint64_t long_length(std::uint64_t drawn) const;
  std::uint64_t first_beyond(std::uint32_t length, std::uint64_t from) const;

  double log_failing_;
  // The smallest fraction, as its bits, with that length or a longer one. Behind the known ones no
  // fraction is.
  std::array<std::uint64_t, known + 2> begin_{};
  std::array<std::uint8_t, 1 << guide_bits> from_{};  // by the upper bits: the length to start at
};

}  // namespace heddle
