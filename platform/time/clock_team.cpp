#include "platform/time/clock_team.hpp"

#include <pthread.h>

#include <csignal>
#include <utility>

#include "platform/time/wait_by_looking.hpp"

namespace heddle {
namespace {

// Before a thread falls asleep: some 50 us.
constexpr int looks_before_sleep = 2000;

// Signals are for the thread of the simulation.
class without_signals {
 public:
  without_signals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  without_signals(const without_signals&) = delete;
  without_signals& operator=(const without_signals&) = delete;
  ~without_signals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_{};
};

}  // namespace

clock_team::clock_team(const std::vector<clock_lane*>& lanes) {
  const without_signals blocked;
  try {
    for (clock_lane* each : lanes) {
      auto added = std::make_unique<worker>();
      added->lane = each;
      added->thread = std::thread([this, self = added.get()] { work(*self); });
      workers_.push_back(std::move(added));
    }
  } catch (...) {
    end();
    throw;
  }
}

clock_team::~clock_team() {
  end();
}

void clock_team::end() {
  is_over_ = true;
  begin_round();
  for (const auto& each : workers_) each->thread.join();
}

clock_stretch_result clock_team::evaluate(clock_lane& own, const clock_stretch& stretch) {
  stretch_ = stretch;
  begin_round();
  const clock_stretch_result result = own.take_turns(stretch);
  const std::uint64_t round = round_.load(std::memory_order_relaxed);
  for (const auto& each : workers_)
    wait_until([&] { return each->done.load(std::memory_order_acquire) == round; });
  return result;
}

// Either the worker sees the new round before it sleeps, or this sees that one sleeps.
void clock_team::begin_round() {
  round_.fetch_add(1);
  if (asleep_.load() == 0) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  wake_.notify_all();
}

void clock_team::work(worker& self) {
  for (std::uint64_t round = 1; wait_for_round(round); ++round) {
    self.lane->take_turns(stretch_);
    self.done.store(round, std::memory_order_release);
  }
}

// Whether there is something to do in it.
bool clock_team::wait_for_round(std::uint64_t wanted) {
  const auto has_come = [&] { return round_.load(std::memory_order_acquire) == wanted; };
  if (is_within_looks(looks_before_sleep, has_come)) return !is_over_;
  std::unique_lock<std::mutex> lock(mutex_);
  ++asleep_;
  wake_.wait(lock, [&] { return round_.load() == wanted; });
  --asleep_;
  return !is_over_;
}

}  // namespace heddle
