#include "platform/time/thread_wait.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>
#include <random>
#include <string>
#include <systemc>
#include <utility>
#include <vector>

#include "platform/time/agenda.hpp"
#include "platform/time/kernel_run.hpp"

using namespace heddle;

namespace {

// When, and of which wait.
using resumption = std::pair<fs_t, int>;

void spawn_thread(std::function<void()> body) {
  sc_core::sc_spawn(std::move(body));
}

// Threads that wait again and again, up to a few instants that they often share: when each wait
// ended, and which one it was of all, by their beginnings.
std::vector<resumption> resumptions_of(int threads) {
  agenda::instance();
  std::mt19937 random(static_cast<unsigned>(threads));
  std::vector<resumption> log;
  int begun = 0;
  for (int i = 0; i < threads; ++i) {
    std::vector<fs_t> waits(20);
    for (fs_t& each : waits) each = 1 + random() % 3;
    spawn_thread([&log, &begun, waits] {
      for (const fs_t each : waits) {
        const int number = ++begun;
        wait_until(now_fs() + each);
        log.emplace_back(now_fs(), number);
      }
    });
  }
  run_kernel();
  return log;
}

struct counting_call {
  timed_call due = timed_call::to<counting_call, &counting_call::run>(*this);
  std::function<void()> then;
  void run() { then(); }
};

}  // namespace

TEMPLATE_TEST_CASE_SIG("threads of one instant go on in the order in which they began to wait", "",
                       ((int threads), threads), 1, 2, 3, 8, 40) {
  const std::vector<resumption> log = resumptions_of(threads);
  REQUIRE(log.size() == 20U * threads);
  CHECK(std::is_sorted(log.begin(), log.end()));
}

TEST_CASE("a thread goes on behind the calls of its instant, those after it included") {
  std::vector<std::string> log;
  counting_call first, second;
  first.then = [&] { log.emplace_back("first"); };
  second.then = [&] { log.emplace_back("second"); };
  first.due.at(50);
  spawn_thread([&] {
    second.due.at(60);
    wait_until(50);
    log.emplace_back("thread");
    second.due.at(50);
    wait_until(50);
    log.emplace_back("thread");
  });
  run_kernel();
  CHECK(log == std::vector<std::string>{"first", "thread", "second", "thread"});
  CHECK(now_fs() == 50);
}

TEST_CASE("to wait for the present instant takes a delta cycle") {
  agenda::instance();
  sc_dt::uint64 before = 0, after = 0;
  spawn_thread([&] {
    before = sc_core::sc_delta_count();
    wait_until(now_fs());
    after = sc_core::sc_delta_count();
  });
  run_kernel();
  CHECK(after == before + 1);
  CHECK(now_fs() == 0);
}

TEST_CASE("time is moved past instants for which no thread waits") {
  int calls = 0;
  counting_call ticks;
  ticks.then = [&] {
    if (++calls < 10) ticks.due.at(now_fs() + 10);
  };
  ticks.due.at(10);
  fs_t resumed = 0;
  spawn_thread([&] {
    wait_until(55);
    resumed = now_fs();
  });
  run_kernel();
  CHECK(calls == 10);
  CHECK(resumed == 55);
  CHECK(time_moves() == 9);  // all but that behind the thread
}
