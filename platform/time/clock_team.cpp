#include "platform/time/clock_team.hpp"

#include <pthread.h>

#include <csignal>

namespace heddle {
namespace {

// Looks before a thread gives its processor to others, and before it falls asleep: some 50 us.
constexpr int looks_before_yield = 500, looks_before_sleep = 2000;

void pause(int look) {
  if (look > looks_before_yield) return std::this_thread::yield();
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

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
  for (clock_lane* each : lanes) {
    worker& added = *workers_.emplace_back(std::make_unique<worker>());
    added.lane = each;
    added.thread = std::thread([this, &added] { work(added); });
  }
}

clock_team::~clock_team() {
  is_over_ = true;
  begin_round();
  for (const auto& each : workers_) each->thread.join();
}

// All are through before an error goes on, that of the first lane that has one.
clock_outlook clock_team::evaluate(clock_lane& own, cycle_t cycle) {
  cycle_ = cycle;
  begin_round();
  clock_outlook outlook;
  std::exception_ptr error;
  try {
    outlook = own.evaluate_turn(cycle);
  } catch (...) {
    error = std::current_exception();
  }
  const std::uint64_t round = round_.load(std::memory_order_relaxed);
  for (const auto& each : workers_) {
    for (int look = 0; each->done.load(std::memory_order_acquire) != round; ++look) pause(look);
    outlook.join(each->outlook);
    if (!error) error = each->error;
    each->error = nullptr;
  }
  if (error) std::rethrow_exception(error);
  return outlook;
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
    try {
      self.outlook = self.lane->evaluate_turn(cycle_);
    } catch (...) {
      self.error = std::current_exception();
    }
    self.done.store(round, std::memory_order_release);
  }
}

// Whether there is something to do in it.
bool clock_team::wait_for_round(std::uint64_t wanted) {
  for (int look = 0; look < looks_before_sleep; ++look) {
    if (round_.load(std::memory_order_acquire) == wanted) return !is_over_;
    pause(look);
  }
  std::unique_lock<std::mutex> lock(mutex_);
  ++asleep_;
  wake_.wait(lock, [&] { return round_.load() == wanted; });
  --asleep_;
  return !is_over_;
}

}  // namespace heddle
