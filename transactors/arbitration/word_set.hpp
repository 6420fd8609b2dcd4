// A set of small numbers in a word (bit_word.hpp), with the round-robin search of an arbiter. It
// has the interface of port_set, for arbiters whose number of requesters is known when they are
// compiled.
#pragma once

#include <cstdint>

#include "transactors/arbitration/bit_word.hpp"

namespace heddle {

template <class Word>
class word_set {
 public:
  word_set() = default;

  bool empty() const { return !word_; }
  // Whether it has exactly one member, if it has any.
  bool is_single() const { return !without_lowest(word_); }
  bool has(int member) const { return has_bit(word_, member); }
  void insert(int member) { word_ = static_cast<Word>(word_ | word_bit<Word>(member)); }
  void erase(int member) { word_ = static_cast<Word>(word_ & ~word_bit<Word>(member)); }
  void clear() { word_ = Word(); }

  // The first member at or after `from`, cyclically. The set is not empty.
  int next(int from) const {
    if constexpr (std::is_integral_v<Word>)
      return round_robin(std::uint64_t{word_}, from & 63);
    else
      return round_robin(word_, from);
  }

  const Word& word() const { return word_; }  // a bit a member

  // Calls use(member) in ascending order.
  template <class Use>
  void for_each(Use use) const {
    for (Word left = word_; left; left = without_lowest(left)) use(lowest(left));
  }

 private:
  Word word_{};
};

}  // namespace heddle
