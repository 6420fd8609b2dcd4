// What is due later, in spans of equal length: entries of one span are in no order, and whoever
// takes a span sorts them. Adding an entry costs the same however many there are, where a heap of
// all of them would touch a level of itself for every factor of four.
//
// A span lasts half a nanosecond, in which the 600 ports of 128 nodes start some 30 packets, and
// the next 2 us have spans of their own: longer than a packet is under way. What is due behind that
// is put into spans when these are reached.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "platform/time/fs_time.hpp"

namespace heddle {

// `Entry` has a member `fs_t due`, and a constructor that takes its fields.
template <class Entry>
class calendar {
 public:
  bool empty() const { return count_ == 0; }
  std::size_t size() const { return count_; }
  // What is due before it has been taken; only later entries may be added.
  fs_t taken_until() const { return next_ << span_bits; }

  // Whether no entry is in the span that holds `due`, or in one before it.
  bool is_empty_until(fs_t due) const {
    const std::uint64_t number = due >> span_bits;
    return far_first_ > number && first_with_entries() > number;
  }

  // The earliest instant at which an entry may be due.
  fs_t empty_before() const {
    const std::uint64_t number = std::min(far_first_, first_with_entries());
    return number == none ? fs_never : number << span_bits;
  }

  // The fields of the entry, `due` the first of them. It is built where it stays: a copy would wait
  // for fields that were written just now.
  template <class... Fields>
  void add(fs_t due, Fields... fields) {
    ++count_;
    home_of(due).emplace_back(due, fields...);
  }

  // Takes the spans up to the one that holds `due`, if they are few and have no entries. So what is
  // alone, as the next cycle of a clock often is, need not be put into a span and taken out again.
  bool skip_to(fs_t due) {
    constexpr std::uint64_t few = 8;
    const std::uint64_t number = due >> span_bits;
    if (number - next_ >= few || far_first_ <= number || first_with_entries() <= number)
      return false;
    next_ = number + 1;
    return true;
  }

  // Exchanges `to`, which is empty, for the entries of the next span that has any. There is one.
  void take_next(std::vector<Entry>& to) {
    std::uint64_t number = first_with_entries();
    if (far_first_ <= number) {
      next_ = far_first_;
      put_far();
      number = first_with_entries();
    }
    std::vector<Entry>& span = spans_[number % spans];
    to.swap(span);
    if (span.capacity() > 0) spare_.push_back(std::move(span));
    span = {};
    close(number % spans);
    count_ -= to.size();
    next_ = number + 1;
  }

 private:
  static constexpr int span_bits = 19;  // of femtoseconds
  static constexpr std::uint64_t words = 64;
  static constexpr std::uint64_t spans = 64 * words;
  static constexpr std::uint64_t none = UINT64_MAX;

  // Where an entry that is due then belongs.
  std::vector<Entry>& home_of(fs_t due) {
    const std::uint64_t number = due >> span_bits;
    if (number - next_ >= spans) {
      far_first_ = std::min(far_first_, number);
      return far_;
    }
    std::vector<Entry>& span = spans_[number % spans];
    if (span.empty()) open(span, number % spans);
    return span;
  }

  // The memory that was used last is still in the caches.
  void open(std::vector<Entry>& span, std::uint64_t index) {
    has_entries_[index / 64] |= 1ULL << index % 64;
    has_words_ |= 1ULL << index / 64;
    if (spare_.empty()) return;
    span.swap(spare_.back());
    spare_.pop_back();
  }
  void close(std::uint64_t index) {
    std::uint64_t& word = has_entries_[index / 64];
    word &= ~(1ULL << index % 64);
    if (word == 0) has_words_ &= ~(1ULL << index / 64);
  }

  static std::uint64_t lowest(std::uint64_t bits) {
    return static_cast<std::uint64_t>(__builtin_ctzll(bits));
  }
  // From next_ on, round the spans: first in its word, then in the words behind, at last in front
  // of it in the same word.
  std::uint64_t first_with_entries() const {
    if (has_words_ == 0) return none;
    const std::uint64_t from = next_ % spans;
    const std::uint64_t here = from / 64;
    const std::uint64_t behind = has_entries_[here] & ~0ULL << from % 64;
    if (behind != 0) return next_ + (here * 64 + lowest(behind) - from);
    const std::uint64_t words_behind = here == 63 ? 0 : has_words_ & ~0ULL << (here + 1);
    const std::uint64_t word = lowest(words_behind != 0 ? words_behind : has_words_);
    return next_ + (word * 64 + lowest(has_entries_[word]) - from) % spans;
  }

  void put_far() {
    far_first_ = none;
    std::vector<Entry> all;
    all.swap(far_);
    for (const Entry& each : all) home_of(each.due).push_back(each);
  }

  std::uint64_t next_ = 0;  // number of the first span that has not been taken
  std::size_t count_ = 0;
  std::array<std::uint64_t, words> has_entries_{};  // a bit a span
  std::uint64_t has_words_ = 0;                     // a bit a word of those that is not 0
  std::array<std::vector<Entry>, spans> spans_;     // by number, modulo
  std::vector<Entry> far_;                          // due behind all spans
  std::uint64_t far_first_ = none;                  // span of the first of those
  std::vector<std::vector<Entry>> spare_;           // memory of spans that were taken
};

}  // namespace heddle
