#include "platform/time/agenda.hpp"

namespace heddle {
namespace {

constexpr std::size_t arity = 4;  // a 4-ary heap: half the levels, children in two cache lines

// One comparison of 128 bits: no branch to mispredict.
template <class Entry>
bool precedes(const Entry& a, const Entry& b) {
  __extension__ using wide = unsigned __int128;
  const auto key = [](const Entry& e) { return static_cast<wide>(e.due) << 64 | e.sequence; };
  return key(a) < key(b);
}

template <class Entry>
const Entry* earlier(const Entry* a, const Entry* b) {
  return precedes(*b, *a) ? b : a;
}

// Two matches and a final: the first two do not wait for each other.
template <class Entry>
const Entry* earliest_of_four(const Entry* first) {
  return earlier(earlier(first, first + 1), earlier(first + 2, first + 3));
}

template <class Entry>
const Entry* earliest(const Entry* first, const Entry* end) {
  const Entry* best = first;
  while (++first != end) best = earlier(best, first);
  return best;
}

}  // namespace

// The kernel holds modules until the process ends, and so does the agenda: it is never destroyed.
agenda& agenda::instance() {
  static agenda* const the_agenda = new agenda("agenda");
  return *the_agenda;
}

agenda::agenda(sc_core::sc_module_name name) : sc_module(name) {
  sc_core::sc_spawn_options options;
  options.spawn_method();
  options.dont_initialize();
  options.set_sensitivity(&due_event_);
  sc_core::sc_spawn([this] { run_due(); }, "run_due", &options);
}

void agenda::schedule(timed_call& call, fs_t when) {
  call.due_ = when;
  call.sequence_ = ++sequence_;
  const entry added{when, call.sequence_, &call};
  if (is_first_free_) {
    is_first_free_ = false;
    sift_down(added);
  } else {
    heap_.push_back(added);
    sift_up(heap_.size() - 1, added);
  }
  if (!is_running_ && when < kernel_due_) wake_kernel(now_fs());
}

void agenda::run_due() {
  const fs_t now = now_fs();
  kernel_due_ = fs_never;
  is_running_ = true;
  while (!heap_.empty()) {
    const entry& first = heap_.front();
    if (first.is_stale()) {
      remove_first();
      continue;
    }
    if (first.due > now) break;
    timed_call& call = *first.call;
    call.sequence_ = timed_call::idle;
    is_first_free_ = true;
    call.run_(call.owner_);
    if (is_first_free_) remove_first();
    is_first_free_ = false;
  }
  is_running_ = false;
  if (!heap_.empty()) wake_kernel(now);
}

// The first entry is not stale: run_due() has seen to that, or it was added just now.
void agenda::wake_kernel(fs_t now) {
  const fs_t due = heap_.front().due;
  if (kernel_due_ != fs_never) due_event_.cancel();
  kernel_due_ = due;
  due_event_.notify(to_sc_time(due > now ? due - now : 0));
}

void agenda::sift_up(std::size_t index, const entry& moved) {
  while (index > 0) {
    const std::size_t parent = (index - 1) / arity;
    if (!precedes(moved, heap_[parent])) break;
    heap_[index] = heap_[parent];
    index = parent;
  }
  heap_[index] = moved;
}

// From the first place on, which is free.
void agenda::sift_down(const entry& moved) {
  entry* const heap = heap_.data();
  const std::size_t size = heap_.size();
  std::size_t index = 0;
  for (;;) {
    const std::size_t first = index * arity + 1;
    if (first >= size) break;
    const entry* best = first + arity <= size ? earliest_of_four(heap + first)
                                              : earliest(heap + first, heap + size);
    if (!precedes(*best, moved)) break;
    heap[index] = *best;
    index = static_cast<std::size_t>(best - heap);
  }
  heap[index] = moved;
}

void agenda::remove_first() {
  const entry last = heap_.back();
  heap_.pop_back();
  if (!heap_.empty()) sift_down(last);
}

}  // namespace heddle
