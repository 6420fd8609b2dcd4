// Index filter (NetSparse 5.2): one bit a column of the matrix, set once the property is in the
// memory of the host. 16 GB of NIC memory hold 1.37e11 of them. Whoever asks for an index has
// checked that it is below bits().
#pragma once

#include <cstdint>
#include <vector>

namespace heddle {

class index_filter {
 public:
  static constexpr std::uint64_t bits_of_line = 512;

  // It is kept in words of eight bytes.
  static std::uint64_t bytes_for(std::uint64_t bits) { return (bits / 64 + (bits % 64 != 0)) * 8; }
  // All bits are clear.
  void resize(std::uint64_t bits) { words_.assign(bytes_for(bits) / 8, 0); }
  std::uint64_t bits() const { return words_.size() * 64; }
  std::uint64_t bytes() const { return words_.size() * 8; }
  bool holds(std::uint64_t index) const { return (words_[index / 64] >> index % 64 & 1) != 0; }
  // The processor may fetch the word: it will be asked for.
  void prefetch(std::uint64_t index) const { __builtin_prefetch(&words_[index / 64], 1); }
  void set(std::uint64_t index) { words_[index / 64] |= std::uint64_t{1} << index % 64; }
  static std::uint64_t line_of(std::uint64_t index) { return index / bits_of_line; }

 private:
  std::vector<std::uint64_t> words_;
};

}  // namespace heddle
