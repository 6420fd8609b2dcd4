// The agenda: one kernel event for all timed calls of the packet plane. The kernel then orders a
// single entry instead of one per port, which makes its share of a packet-hop independent of the
// number of ports. Where nobody else has something to do, it does without the kernel and moves
// simulated time itself from call to call (kernel_run.hpp).
//
// Calls due at the same instant run in the order in which they were scheduled: deterministic.
#pragma once

#include <cstdint>
#include <systemc>
#include <vector>

#include "platform/time/calendar.hpp"
#include "platform/time/fs_time.hpp"
#include "platform/time/soon_queue.hpp"

namespace heddle {

class agenda;

// A member function that wants to run at one future instant. At most one instant is pending.
class timed_call {
 public:
  template <class Owner, void (Owner::*method)()>
  static timed_call to(Owner& owner) {
    return timed_call(
        &owner, [](void* object) { (static_cast<Owner*>(object)->*method)(); }, nullptr);
  }
  // `fetch` is called shortly before, when it can be: it may prefetch what the method reads first,
  // and does nothing else.
  template <class Owner, void (Owner::*method)(), void (Owner::*fetch)() const>
  static timed_call to(Owner& owner) {
    return timed_call(
        &owner, [](void* object) { (static_cast<Owner*>(object)->*method)(); },
        [](const void* object) { (static_cast<const Owner*>(object)->*fetch)(); });
  }

  // Runs at `when` (not before now); an earlier pending instant stays, a later one is replaced.
  void at(fs_t when);
  bool is_pending() const { return sequence_ != idle; }
  fs_t due() const { return due_; }

 private:
  friend class agenda;
  static constexpr std::uint64_t idle = 0;

  timed_call(void* owner, void (*run)(void*), void (*fetch)(const void*))
      : owner_(owner), run_(run), fetch_(fetch) {}

  void* owner_;
  void (*run_)(void*);
  void (*fetch_)(const void*);  // or nullptr
  fs_t due_ = 0;
  std::uint64_t sequence_ = idle;  // of the one entry in the agenda that counts
};

class agenda final : public sc_core::sc_module {
 public:
  static agenda& instance();

  // Schedules a call that is not pending, or is due later than `when`.
  void schedule(timed_call& call, fs_t when);
  // For a call that is running and wants to run again at `when`. Returns whether it may go on at
  // once, because nothing else is due by then; simulated time is `when` in that case.
  bool pass_to(fs_t when);
  // For a call that is running: nothing else is due before that, as long as nobody schedules a
  // call, notifies an event or ends the run. Until then the call may jump_to() any instant.
  fs_t quiet_until();

 private:
  // An entry does not know its call's other entries: when a call moves to an earlier instant, the
  // old entry stays behind and is dropped when it comes to the top. So moving entries about touches
  // no calls.
  struct entry {
    entry(fs_t when, std::uint64_t number, timed_call* called)
        : due(when), sequence(number), call(called) {}
    fs_t due;
    std::uint64_t sequence;
    timed_call* call;
    bool is_stale() const { return call->sequence_ != sequence; }
  };

  explicit agenda(sc_core::sc_module_name name);
  void run_due();
  const entry* first_taken();
  const entry* find_next();
  void run(const entry& next);
  void fetch_ahead(std::size_t from) const;
  void wake_kernel(fs_t due, fs_t now);

  sc_core::sc_event due_event_;
  calendar<entry> later_;
  // The span of the calendar that was taken last, in order, and what was scheduled inside of it
  // since then.
  std::vector<entry> span_;
  std::size_t next_in_span_ = 0;
  soon_queue<entry> soon_;
  std::uint64_t sequence_ = timed_call::idle;
  fs_t kernel_due_ = fs_never;  // what due_event_ is notified for
  bool is_running_ = false;
};

inline void timed_call::at(fs_t when) {
  if (!is_pending() || when < due_) agenda::instance().schedule(*this, when);
}

}  // namespace heddle
