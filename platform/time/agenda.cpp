#include "platform/time/agenda.hpp"

#include <algorithm>
#include <cassert>

#include "platform/time/kernel_run.hpp"

namespace heddle {
namespace {

// How many calls before a call its own fields, its owner, and what its owner asks for are fetched.
constexpr std::size_t calls_ahead = 5, owners_ahead = 3, contents_ahead = 1;

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
  if (when < later_.taken_until() || later_.skip_to(when))
    soon_.push(when, sequence_, &call);
  else
    later_.add(when, sequence_, &call);
  if (!is_running_ && when < kernel_due_) wake_kernel(when, now_fs());
}

void agenda::run_due() {
  kernel_due_ = fs_never;
  is_running_ = true;
  const entry* next = nullptr;
  while ((next = find_next()) != nullptr) {
    if (next->due > now_fs() && !move_time(next->due)) break;
    run(*next);
  }
  is_running_ = false;
  if (next) wake_kernel(next->due, now_fs());
}

// Spans of the calendar that are not due yet stay there: taken, they would make a heap of what is
// scheduled before them.
bool agenda::pass_to(fs_t when) {
  assert(is_running_);
  if (!later_.is_empty_until(when)) return false;
  const entry* next = first_taken();
  return (!next || next->due > when) && move_time(when);
}

fs_t agenda::quiet_until() {
  assert(is_running_);
  const entry* next = first_taken();
  return std::min({later_.empty_before(), next ? next->due : fs_never, kernel_quiet_until()});
}

// The first entry that is not stale, of those that are no longer in the calendar.
inline const agenda::entry* agenda::first_taken() {
  while (next_in_span_ < span_.size() || !soon_.empty()) {
    const bool is_of_span = next_in_span_ < span_.size() &&
                            (soon_.empty() || precedes(span_[next_in_span_], soon_.first()));
    const entry& first = is_of_span ? span_[next_in_span_] : soon_.first();
    if (!first.is_stale()) return &first;
    if (is_of_span)
      ++next_in_span_;
    else
      soon_.pop();
  }
  return nullptr;
}

// The first entry that is not stale.
inline const agenda::entry* agenda::find_next() {
  for (;;) {
    if (const entry* first = first_taken()) return first;
    span_.clear();
    next_in_span_ = 0;
    if (later_.empty()) return nullptr;
    later_.take_next(span_);
    std::sort(span_.begin(), span_.end(), precedes<entry>);
    for (std::size_t i = 0; i < std::min(calls_ahead, span_.size()); ++i)
      __builtin_prefetch(span_[i].call);
  }
}

// Whose turn comes soon is fetched ahead, in steps of which each needs what the one before has
// fetched: of many calls, most have left the caches.
inline void agenda::fetch_ahead(std::size_t from) const {
  const std::size_t left = span_.size() - from;
  const entry* next = span_.data() + from;
  if (left > calls_ahead) __builtin_prefetch(next[calls_ahead].call);
  if (left > owners_ahead) __builtin_prefetch(next[owners_ahead].call->owner_);
  if (left <= contents_ahead) return;
  const timed_call& soon = *next[contents_ahead].call;
  if (soon.fetch_) soon.fetch_(soon.owner_);
}

inline void agenda::run(const entry& next) {
  timed_call& call = *next.call;
  if (&next == span_.data() + next_in_span_) {
    fetch_ahead(++next_in_span_);
  } else {
    soon_.pop();
  }
  call.sequence_ = timed_call::idle;
  call.run_(call.owner_);
}

void agenda::wake_kernel(fs_t due, fs_t now) {
  if (kernel_due_ != fs_never) due_event_.cancel();
  kernel_due_ = due;
  due_event_.notify(to_sc_time(due > now ? due - now : 0));
}

}  // namespace heddle
