// Who wrote a word of memory last, for the words that are flags while the run is explained: those
// that small writes write, and those that small reads read, whatever they come in. Grows with the
// number of such words, not of writes.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "platform/explain/cause.hpp"

namespace heddle {

class word_causes {
 public:
  static constexpr std::uint64_t most_bytes = 8;  // of a write that counts as small

  void note(std::uint64_t address, std::uint64_t bytes, const cause& writer);
  // The word is polled: from now on, writes that are longer than a word count for it, too.
  void watch(std::uint64_t address);
  void note_watched(std::uint64_t address, std::uint64_t bytes, const cause& writer) {
    const bool can_hold_one = address <= last_watched_ && first_watched_ < address + bytes;
    if (can_hold_one) note_those_watched(address, bytes, writer);
  }
  // The last writer of any of these bytes.
  cause find(std::uint64_t address, std::uint64_t bytes) const;

 private:
  static constexpr std::uint64_t word_bytes = 4;
  struct entry {
    std::uint64_t word = UINT64_MAX;
    cause writer;
  };

  void note_those_watched(std::uint64_t address, std::uint64_t bytes, const cause& writer);
  std::size_t index_of(std::uint64_t word) const;
  void grow();

  std::vector<entry> entries_;  // open addressing; a power of two
  std::size_t used_ = 0;
  std::set<std::uint64_t> watched_;                              // words
  std::uint64_t first_watched_ = UINT64_MAX, last_watched_ = 0;  // their addresses
};

}  // namespace heddle
