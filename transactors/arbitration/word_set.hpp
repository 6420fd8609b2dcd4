// A set of small numbers in one word, with the round-robin search of an arbiter. It has the
// interface of port_set, for arbiters whose number of requesters is known when they are compiled.
#pragma once

#include <cstdint>

#include "transactors/arbitration/round_robin.hpp"

namespace heddle {

template <class Word>
class word_set {
 public:
  word_set() = default;
  explicit word_set(int /*members*/) {}

  bool empty() const { return word_ == 0; }
  // Whether it has exactly one member, if it has any.
  bool is_single() const { return (word_ & (word_ - 1)) == 0; }
  void insert(int member) { word_ = static_cast<Word>(word_ | std::uint64_t{1} << member); }
  void erase(int member) { word_ = static_cast<Word>(word_ & ~(std::uint64_t{1} << member)); }
  void clear() { word_ = 0; }

  // The first member at or after `from`, cyclically. The set is not empty.
  int next(int from) const { return round_robin(word_, from & 63); }

  Word word() const { return word_; }  // a bit a member

  // Calls use(member) in ascending order.
  template <class Use>
  void for_each(Use use) const {
    for (std::uint64_t left = word_; left; left &= left - 1) use(__builtin_ctzll(left));
  }

 private:
  Word word_ = 0;
};

}  // namespace heddle
