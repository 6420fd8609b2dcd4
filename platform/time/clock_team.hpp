// Threads that evaluate the lanes of a clock domain at the same time, a stretch of cycles at a
// time. They wait for the next one by looking, because a cycle of a few microseconds is over before
// the operating system has woken anybody, and fall asleep when none comes.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "platform/time/clock_lane.hpp"

namespace heddle {

class clock_team {
 public:
  // A thread for each of these lanes. Throws std::system_error when there are no more.
  explicit clock_team(const std::vector<clock_lane*>& lanes);
  ~clock_team();
  clock_team(const clock_team&) = delete;
  clock_team& operator=(const clock_team&) = delete;

  // All lanes evaluate the stretch, `own` in the calling thread. Returns when all are through.
  clock_stretch_result evaluate(clock_lane& own, const clock_stretch& stretch);

 private:
  struct alignas(64) worker {
    std::atomic<std::uint64_t> done{0};  // rounds
    alignas(64) clock_lane* lane = nullptr;
    std::thread thread;
  };

  void end();
  void work(worker& self);
  bool wait_for_round(std::uint64_t wanted);
  void begin_round();

  alignas(64) std::atomic<std::uint64_t> round_{0};
  std::atomic<int> asleep_{0};
  clock_stretch stretch_;  // of the round
  bool is_over_ = false;   // the round is the last, and has no stretch
  alignas(64) std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<std::unique_ptr<worker>> workers_;
};

}  // namespace heddle
