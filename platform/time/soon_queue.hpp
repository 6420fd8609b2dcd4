// What is due soon, in order. Whoever schedules looks ahead by a few fixed delays, and what is due
// after one of them comes in order by itself: an entry that follows the last one of a run is put
// behind it. Two runs take nearly all, mostly what is due at once and what is due when a wire is
// free; the rest makes a heap.
//
// Entries of one instant keep the order in which they came: `Entry` has `due` and `sequence`, and
// each entry has a higher sequence than those that were pushed before it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "platform/time/fs_time.hpp"

namespace heddle {

// One comparison of 128 bits: no branch to mispredict.
template <class Entry>
bool precedes(const Entry& a, const Entry& b) {
  __extension__ using wide = unsigned __int128;
  const auto key = [](const Entry& e) { return static_cast<wide>(e.due) << 64 | e.sequence; };
  return key(a) < key(b);
}

template <class Entry>
class soon_queue {
 public:
  soon_queue() = default;
  soon_queue(const soon_queue&) = delete;
  soon_queue& operator=(const soon_queue&) = delete;

  bool empty() const { return first_ == nullptr; }
  const Entry& first() const { return first_->front(); }

  // The fields of the entry, `due` the first of them. It is built where it stays: a copy would wait
  // for fields that were written just now.
  template <class... Fields>
  void push(fs_t due, Fields... fields) {
    line* to = &lines_[0];
    while (to != heap() && !to->takes(due)) ++to;
    const bool becomes_first = empty() || due < first().due;
    to->entries.emplace_back(due, fields...);
    if (to == heap()) std::push_heap(to->entries.begin(), to->entries.end(), follows);
    if (becomes_first) first_ = to;
  }

  void pop() {
    if (first_ == heap()) std::pop_heap(first_->entries.begin(), first_->entries.end(), follows);
    if (first_ == heap())
      first_->entries.pop_back();
    else
      first_->pop();
    first_ = nullptr;
    for (line& each : lines_)
      if (!each.empty() && (empty() || precedes(each.front(), first()))) first_ = &each;
  }

 private:
  // A run, or the heap, of which `next` is always 0.
  struct line {
    bool empty() const { return next == entries.size(); }
    const Entry& front() const { return entries[next]; }
    bool takes(fs_t due) const { return empty() || entries.back().due <= due; }
    void pop() {
      if (++next == entries.size()) {
        entries.clear();
        next = 0;
      } else if (next == most_taken) {
        entries.erase(entries.begin(), entries.begin() + static_cast<std::ptrdiff_t>(next));
        next = 0;
      }
    }
    std::vector<Entry> entries;  // from `next` on
    std::size_t next = 0;
  };
  static constexpr std::size_t most_taken = 1024;  // that are kept in front

  static bool follows(const Entry& a, const Entry& b) { return precedes(b, a); }
  line* heap() { return &lines_.back(); }

  std::array<line, 3> lines_;
  line* first_ = nullptr;  // whose front precedes all others
};

}  // namespace heddle
