// A word with a bit for each requester: a machine word where 64 are enough, else several of them.
// The functions have the same names for both, so that an arbiter is written once.
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

#include "transactors/arbitration/round_robin.hpp"

namespace heddle {

template <int words>
class wide_word {
 public:
  static constexpr int bits = 64 * words;

  wide_word() = default;

  std::uint64_t& part(int index) { return parts_[index]; }
  std::uint64_t part(int index) const { return parts_[index]; }

  explicit operator bool() const {
    std::uint64_t any = 0;
    for (const std::uint64_t each : parts_) any |= each;
    return any != 0;
  }
  wide_word operator~() const {
    return combined(*this, [](auto a, auto) { return ~a; });
  }
  wide_word operator&(const wide_word& other) const {
    return combined(other, [](auto a, auto b) { return a & b; });
  }
  wide_word operator|(const wide_word& other) const {
    return combined(other, [](auto a, auto b) { return a | b; });
  }
  // The bits from `first` to `first + count - 1` alone, which lie in one part.
  wide_word only(int first, int count) const {
    wide_word result;
    result.parts_[first / 64] = parts_[first / 64] & ((std::uint64_t{1} << count) - 1)
                                                         << first % 64;
    return result;
  }
  wide_word without_lowest() const {
    wide_word result = *this;
    for (std::uint64_t& each : result.parts_) {
      if (each == 0) continue;
      each &= each - 1;
      break;
    }
    return result;
  }
  wide_word& operator&=(const wide_word& other) { return *this = *this & other; }
  wide_word& operator|=(const wide_word& other) { return *this = *this | other; }

 private:
  template <class Operation>
  wide_word combined(const wide_word& other, Operation operation) const {
    wide_word result;
    for (int i = 0; i < words; ++i) result.parts_[i] = operation(parts_[i], other.parts_[i]);
    return result;
  }

  std::array<std::uint64_t, words> parts_{};
};

// Room for so many bits.
template <int bits>
using bit_word_of = std::conditional_t<
    (bits > 64), wide_word<(bits + 63) / 64>,
    std::conditional_t<(bits > 32), std::uint64_t,
                       std::conditional_t<(bits > 16), std::uint32_t, std::uint16_t>>>;

template <class Word>
inline Word word_bit(int index) {
  if constexpr (std::is_integral_v<Word>) {
    return static_cast<Word>(std::uint64_t{1} << index);
  } else {
    Word result;
    result.part(index / 64) = std::uint64_t{1} << index % 64;
    return result;
  }
}

template <class Word>
inline bool has_bit(const Word& word, int index) {
  if constexpr (std::is_integral_v<Word>)
    return word >> index & 1;
  else
    return word.part(index / 64) >> index % 64 & 1;
}

// The index of the lowest bit. The word is not 0.
template <class Word>
inline int lowest(const Word& word) {
  if constexpr (std::is_integral_v<Word>) {
    return __builtin_ctzll(word);
  } else {
    int i = 0;
    while (word.part(i) == 0) ++i;
    return i * 64 + __builtin_ctzll(word.part(i));
  }
}

// That bit alone, of a word that is not 0.
template <class Word>
inline Word only_lowest(const Word& word) {
  if constexpr (std::is_integral_v<Word>)
    return static_cast<Word>(word & -word);
  else
    return word_bit<Word>(lowest(word));
}

// All bits but the lowest; none, if the word is 0.
template <class Word>
inline Word without_lowest(const Word& word) {
  if constexpr (std::is_integral_v<Word>)
    return static_cast<Word>(word & (word - 1));
  else
    return word.without_lowest();
}

// `word` where the condition holds, else 0.
template <class Word>
inline Word bits_if(bool condition, const Word& word) {
  if constexpr (std::is_integral_v<Word>)
    return static_cast<Word>(word & (Word{0} - condition));
  else
    return condition ? word : Word();
}

template <int words>
inline int round_robin(const wide_word<words>& mask, int from) {
  from %= wide_word<words>::bits;
  const int first = from / 64;
  if (const std::uint64_t above = mask.part(first) >> from % 64; above != 0)
    return from + __builtin_ctzll(above);
  int i = first;
  do i = (i + 1) % words;
  while (mask.part(i) == 0);
  return i * 64 + __builtin_ctzll(mask.part(i));
}

}  // namespace heddle
