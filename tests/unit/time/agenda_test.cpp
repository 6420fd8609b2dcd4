#include "platform/time/agenda.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <vector>

#include "platform/time/kernel_run.hpp"
#include "platform/time/timed_queue.hpp"

using namespace heddle;

namespace {

struct called {
  int who;
  fs_t when;
  bool operator==(const called& other) const { return who == other.who && when == other.when; }
};
std::ostream& operator<<(std::ostream& out, const called& c) {
  return out << c.who << " at " << c.when;
}

struct caller {
  caller(int i, std::vector<called>& l)
      : index(i), log(l), call(timed_call::to<caller, &caller::run>(*this)) {}
  void run() {
    log.push_back({index, now_fs()});
    if (then) then();
  }
  int index;
  std::vector<called>& log;
  timed_call call;
  std::function<void()> then;
};

struct callers {
  explicit callers(int count) {
    agenda::instance();
    for (int i = 0; i < count; ++i) all.push_back(std::make_unique<caller>(i, log));
  }
  caller& operator[](int i) { return *all[i]; }
  std::vector<called> log;
  std::vector<std::unique_ptr<caller>> all;
};

using calls = std::vector<called>;

}  // namespace

TEST_CASE("calls at one instant run in the order in which they were scheduled") {
  callers who(4);
  for (const int i : {2, 0, 3, 1}) who[i].call.at(10);
  sc_core::sc_start();
  CHECK(who.log == calls{{2, 10}, {0, 10}, {3, 10}, {1, 10}});
}

TEST_CASE("an earlier instant replaces a later one, a later one is ignored") {
  callers who(3);
  who[0].call.at(30);
  who[1].call.at(20);
  who[0].call.at(10);
  who[0].call.at(40);
  who[2].call.at(10);
  CHECK(who[0].call.due() == 10);
  sc_core::sc_start();
  CHECK(who.log == calls{{0, 10}, {2, 10}, {1, 20}});
  CHECK_FALSE(who[0].call.is_pending());
}

TEST_CASE("moving a call to the same earlier instant as another puts it behind") {
  callers who(2);
  who[0].call.at(30);
  who[1].call.at(10);
  who[0].call.at(10);
  sc_core::sc_start();
  CHECK(who.log == calls{{1, 10}, {0, 10}});
}

TEST_CASE("a call may schedule itself and others for now and for later") {
  callers who(2);
  who[0].then = [&] {
    if (who.log.size() == 1) {
      who[1].call.at(now_fs());
      who[0].call.at(now_fs());
    } else if (who.log.size() == 3) {
      who[0].call.at(15);
    }
  };
  who[0].call.at(10);
  sc_core::sc_start();
  CHECK(who.log == calls{{0, 10}, {1, 10}, {0, 10}, {0, 15}});
}

TEST_CASE("a process may pull a call forward while the kernel waits for it") {
  callers who(1);
  who[0].call.at(1000);
  sc_core::sc_spawn([&] {
    sc_core::wait(to_sc_time(100));
    who[0].call.at(200);
    sc_core::wait(to_sc_time(50));
    who[0].call.at(now_fs());
  });
  sc_core::sc_start();
  CHECK(who.log == calls{{0, 150}});
}

namespace {

// The reference keeps every pending call in a sorted map and follows the definition.
void check_random_operations(void (*run)()) {
  constexpr int count = 37;
  callers who(count);
  std::mt19937_64 random(7);
  std::map<std::pair<fs_t, std::uint64_t>, int> pending;
  std::vector<std::pair<fs_t, std::uint64_t>> key_of(count, {fs_never, 0});
  std::uint64_t sequence = 0;
  calls expected;
  std::size_t operations = 0;
  bool agrees = true;

  const auto schedule = [&](int i, fs_t when) {
    ++operations;
    if (key_of[i].first != fs_never) {
      if (when >= key_of[i].first) return who[i].call.at(when);
      pending.erase(key_of[i]);
    }
    key_of[i] = {when, sequence++};
    pending[key_of[i]] = i;
    who[i].call.at(when);
  };
  for (int i = 0; i < count; ++i)
    who[i].then = [&, i] {
      const auto next = *pending.begin();
      agrees = agrees && next.second == i && next.first.first == now_fs();
      pending.erase(pending.begin());
      key_of[i] = {fs_never, 0};
      if (operations > 100'000) return;
      for (int n = 0; n < 3; ++n)
        schedule(static_cast<int>(random() % count), now_fs() + random() % 5);
    };
  schedule(0, 1);
  run();
  CHECK(agrees);
  CHECK(pending.empty());
  CHECK(operations > 100'000);
}

}  // namespace

TEST_CASE("a hundred thousand random operations agree with a simple reference") {
  check_random_operations([] { sc_core::sc_start(); });
}
TEST_CASE("so do as many when the agenda moves time itself") {
  check_random_operations(run_kernel);
  CHECK(time_moves() > 1000);
}

namespace {

struct queue_owner {
  queue_owner() : queue(timed_queue<int>::to<queue_owner, &queue_owner::take>(*this)) {
    agenda::instance();
  }
  void take() {
    for (int item = 0; queue.pop_due(now_fs(), item);) log.push_back({item, now_fs()});
  }
  std::vector<called> log;
  timed_queue<int> queue;
};

}  // namespace

TEST_CASE("a timed queue hands out items at their times and in order among equals") {
  queue_owner owner;
  owner.queue.push(20, 1);
  owner.queue.push(10, 2);
  owner.queue.push(20, 3);
  owner.queue.push(10, 4);
  CHECK(owner.queue.size() == 4);
  sc_core::sc_start();
  CHECK(owner.log == calls{{2, 10}, {4, 10}, {1, 20}, {3, 20}});
  CHECK(owner.queue.empty());
}

TEST_CASE("a timed queue sorts random items stably") {
  queue_owner owner;
  std::mt19937_64 random(3);
  calls expected;
  for (int i = 0; i < 3000; ++i) {
    const fs_t when = random() % 500;
    owner.queue.push(when, i);
    expected.push_back({i, when});
  }
  std::stable_sort(expected.begin(), expected.end(),
                   [](const called& a, const called& b) { return a.when < b.when; });
  sc_core::sc_start();
  CHECK(owner.log == expected);
}
