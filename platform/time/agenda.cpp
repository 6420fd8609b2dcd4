#include "platform/time/agenda.hpp"

#include <algorithm>

namespace heddle {
namespace {

constexpr std::uint32_t arity = 4;  // a 4-ary heap: half the levels, children in one cache line

template <class Entry>
bool precedes(const Entry& a, const Entry& b) {
  return a.due != b.due ? a.due < b.due : a.sequence < b.sequence;
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
  if (call.is_pending()) {
    if (when >= call.due_) return;
    call.due_ = when;
    sift_up(call.slot_, {when, sequence_++, &call});
  } else {
    call.due_ = when;
    heap_.emplace_back();
    sift_up(static_cast<std::uint32_t>(heap_.size() - 1), {when, sequence_++, &call});
  }
  if (!is_running_ && when < kernel_due_) wake_kernel(now_fs());
}

void agenda::run_due() {
  const fs_t now = now_fs();
  kernel_due_ = fs_never;
  is_running_ = true;
  while (!heap_.empty() && heap_.front().due <= now) {
    timed_call& call = *pop().call;
    call.run_(call.owner_);
  }
  is_running_ = false;
  if (!heap_.empty()) wake_kernel(now);
}

void agenda::wake_kernel(fs_t now) {
  const fs_t due = heap_.front().due;
  if (kernel_due_ != fs_never) due_event_.cancel();
  kernel_due_ = due;
  due_event_.notify(to_sc_time(due > now ? due - now : 0));
}

void agenda::place(std::uint32_t slot, const entry& moved) {
  heap_[slot] = moved;
  moved.call->slot_ = slot;
}

void agenda::sift_up(std::uint32_t slot, entry moved) {
  while (slot > 0) {
    const std::uint32_t parent = (slot - 1) / arity;
    if (!precedes(moved, heap_[parent])) break;
    place(slot, heap_[parent]);
    slot = parent;
  }
  place(slot, moved);
}

void agenda::sift_down(std::uint32_t slot, entry moved) {
  const auto size = static_cast<std::uint32_t>(heap_.size());
  for (;;) {
    const std::uint32_t first = slot * arity + 1;
    if (first >= size) break;
    std::uint32_t best = first;
    for (std::uint32_t child = first + 1; child < std::min(first + arity, size); ++child)
      if (precedes(heap_[child], heap_[best])) best = child;
    if (!precedes(heap_[best], moved)) break;
    place(slot, heap_[best]);
    slot = best;
  }
  place(slot, moved);
}

agenda::entry agenda::pop() {
  const entry first = heap_.front();
  const entry last = heap_.back();
  heap_.pop_back();
  if (!heap_.empty()) sift_down(0, last);
  first.call->slot_ = timed_call::idle;
  return first;
}

}  // namespace heddle
