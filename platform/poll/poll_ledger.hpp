// The polls that sleep at one target. The target tells it of everything that others may notice:
//
//   ledger.catch_up();                 before each access: polls that came before it are performed
//   ledger.changed(address, bytes);    after a change: whoever polls these bytes wakes
//
// A poll comes after everything else of its instant, as if its thread ran after all methods, but
// before what happens in a later delta cycle of that instant.
//
// Limitations: two threads that meet at one target in the same femtosecond may come in another
// order than if the core polled.
#pragma once

#include <cstdint>
#include <vector>

#include "platform/poll/sleeping_poll.hpp"
#include "platform/time/timed_queue.hpp"

namespace heddle {

class simulation;

// What a poll does to the target that it reads.
class polled_target {
 public:
  // A poll arrives at `start`. Returns when it is answered.
  virtual fs_t perform_poll(const sleeping_poll& poll, fs_t start) = 0;
  // How long one takes if nothing else occupies the target.
  virtual fs_t undisturbed_poll(const sleeping_poll& poll) const = 0;
  // Counts so many more polls that nothing disturbs; the last of them arrives at `last_start`.
  virtual void repeat_poll(const sleeping_poll& poll, std::uint64_t times, fs_t last_start) = 0;

 protected:
  ~polled_target() = default;
};

class poll_ledger;

// All polls of a run that sleep. Counters lag behind meanwhile: whoever reads statistics in the
// middle or at the end of a run asks for them first. One per run.
class sleeping_polls {
 public:
  sleeping_polls();
  void count() const;

 private:
  friend class poll_ledger;
  void wake_due();

  std::vector<poll_ledger*> ledgers_;
  timed_queue<sleeping_poll*> waking_;  // due when the core sends its poll
  std::vector<sleeping_poll*> due_;
  std::uint64_t sleeps_ = 0;
};

class poll_ledger {
 public:
  // The run knows of the ledger, which lives as long as the target.
  poll_ledger(polled_target& target, simulation& sim);
  poll_ledger(const poll_ledger&) = delete;
  poll_ledger& operator=(const poll_ledger&) = delete;

  void add(sleeping_poll& poll);
  // The core goes on with its next poll, as if the word had changed.
  void wake(sleeping_poll& poll);

  void catch_up() {
    if (!asleep_.empty()) perform_due();
  }
  void changed(std::uint64_t address, std::uint64_t bytes) {
    if (!asleep_.empty()) wake_pollers(address, bytes);
  }
  // Brings the counters of target, buses and cores up to date.
  void count();

 private:
  void perform_due();
  void perform(sleeping_poll& poll, fs_t last);
  void wake_pollers(std::uint64_t address, std::uint64_t bytes);
  void end_sleep(sleeping_poll& poll);

  polled_target& target_;
  sleeping_polls& all_;
  std::vector<sleeping_poll*> asleep_;
};

}  // namespace heddle
