// The agenda: one kernel event for all timed calls of the packet plane. The kernel then orders a
// single entry instead of one per port, which makes its share of a packet-hop independent of the
// number of ports.
//
// Calls due at the same instant run in the order in which they were scheduled: deterministic.
#pragma once

#include <cstdint>
#include <systemc>
#include <vector>

#include "platform/time/fs_time.hpp"

namespace heddle {

class agenda;

// A member function that wants to run at one future instant. At most one instant is pending.
class timed_call {
 public:
  template <class Owner, void (Owner::*method)()>
  static timed_call to(Owner& owner) {
    return timed_call(&owner, [](void* object) { (static_cast<Owner*>(object)->*method)(); });
  }

  // Runs at `when` (not before now); an earlier pending instant stays, a later one is replaced.
  void at(fs_t when);
  bool is_pending() const { return slot_ != idle; }
  fs_t due() const { return due_; }

 private:
  friend class agenda;
  static constexpr std::uint32_t idle = UINT32_MAX;

  timed_call(void* owner, void (*run)(void*)) : owner_(owner), run_(run) {}

  void* owner_;
  void (*run_)(void*);
  fs_t due_ = 0;
  std::uint32_t slot_ = idle;  // place in the heap
};

class agenda final : public sc_core::sc_module {
 public:
  static agenda& instance();

  void schedule(timed_call& call, fs_t when);

 private:
  struct entry {
    fs_t due;
    std::uint64_t sequence;
    timed_call* call;
  };

  explicit agenda(sc_core::sc_module_name name);
  void run_due();
  void wake_kernel(fs_t now);
  void place(std::uint32_t slot, const entry& moved);
  void sift_up(std::uint32_t slot, entry moved);
  void sift_down(std::uint32_t slot, entry moved);
  entry pop();

  sc_core::sc_event due_event_;
  std::vector<entry> heap_;
  std::uint64_t sequence_ = 0;
  fs_t kernel_due_ = fs_never;  // what due_event_ is notified for
  bool is_running_ = false;
};

inline void timed_call::at(fs_t when) {
  agenda::instance().schedule(*this, when);
}

}  // namespace heddle
