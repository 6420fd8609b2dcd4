// A set of ports of one switch, with the round-robin search of an arbiter. Up to 64 ports are one
// word; more are words of 64 ports under a word that says which of them are not empty, so that any
// search looks at three words at most.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "transactors/arbitration/round_robin.hpp"

namespace heddle {

class port_set {
 public:
  static constexpr int most_ports = 1024;
  static constexpr int word_ports = 64;

  // For ports 0 .. ports - 1.
  explicit port_set(int ports = word_ports) {
    if (ports > word_ports) words_ = std::make_unique<word_array>();
  }
  port_set(const port_set& other)
      : top_(other.top_),
        words_(other.words_ ? std::make_unique<word_array>(*other.words_) : nullptr) {}
  port_set(port_set&&) noexcept = default;
  port_set& operator=(port_set&&) noexcept = default;
  // Allocates only where this set has one word and the other one has more.
  port_set& operator=(const port_set& other) {
    if (words_ && other.words_)
      *words_ = *other.words_;
    else
      words_ = other.words_ ? std::make_unique<word_array>(*other.words_) : nullptr;
    top_ = other.top_;
    return *this;
  }
  ~port_set() = default;

  bool empty() const { return top_ == 0; }
  bool has(int port) const {
    return ((words_ ? (*words_)[port / word_ports] : top_) >> port % word_ports & 1) != 0;
  }

  void insert(int port) {
    if (!words_) {
      top_ |= bit(port);
      return;
    }
    (*words_)[port / word_ports] |= bit(port % word_ports);
    top_ |= bit(port / word_ports);
  }

  void erase(int port) {
    if (!words_) {
      top_ &= ~bit(port);
      return;
    }
    std::uint64_t& word = (*words_)[port / word_ports];
    word &= ~bit(port % word_ports);
    if (word == 0) top_ &= ~bit(port / word_ports);
  }

  void clear() {
    if (words_)
      for (std::uint64_t left = top_; left; left &= left - 1) (*words_)[__builtin_ctzll(left)] = 0;
    top_ = 0;
  }

  // The first member at or after `from`, cyclically. The set is not empty; `from` may be one past
  // the last port.
  int next(int from) const {
    if (!words_) return round_robin(top_, from & (word_ports - 1));
    return next_of_many(from);
  }

  // Adds what is in the other set, of as many ports.
  void merge(const port_set& other) {
    if (words_)
      for (std::uint64_t left = other.top_; left; left &= left - 1)
        (*words_)[__builtin_ctzll(left)] |= (*other.words_)[__builtin_ctzll(left)];
    top_ |= other.top_;
  }

  int size() const {
    if (!words_) return __builtin_popcountll(top_);
    int sum = 0;
    for (std::uint64_t left = top_; left; left &= left - 1)
      sum += __builtin_popcountll((*words_)[__builtin_ctzll(left)]);
    return sum;
  }

  // Calls use(port) in ascending order. `use` may erase ports; what it inserts may be left out.
  template <class Use>
  void for_each(Use use) const {
    if (!words_) return for_each_bit(top_, 0, use);
    for (std::uint64_t left = top_; left; left &= left - 1) {
      const int word = __builtin_ctzll(left);
      for_each_bit((*words_)[word], word * word_ports, use);
    }
  }

 private:
  using word_array = std::array<std::uint64_t, most_ports / word_ports>;
  static constexpr std::uint64_t bit(int index) { return std::uint64_t{1} << index; }

  template <class Use>
  static void for_each_bit(std::uint64_t word, int first, Use& use) {
    for (; word; word &= word - 1) use(first + __builtin_ctzll(word));
  }

  int next_of_many(int from) const {
    const int here = from / word_ports & (word_ports - 1);
    if (top_ >> here & 1) {
      const std::uint64_t behind = (*words_)[here] & (~std::uint64_t{0} << from % word_ports);
      if (behind) return here * word_ports + __builtin_ctzll(behind);
    }
    const int word = round_robin(top_, (here + 1) % word_ports);
    return word * word_ports + __builtin_ctzll((*words_)[word]);
  }

  std::uint64_t top_ = 0;              // the ports, or the words that are not empty
  std::unique_ptr<word_array> words_;  // none for up to 64 ports
};

}  // namespace heddle
