#include "platform/time/kernel_run.hpp"

#include <catch2/catch.hpp>
#include <functional>
#include <ostream>
#include <stdexcept>
#include <string>
#include <systemc>
#include <utility>
#include <vector>

#include "platform/time/agenda.hpp"

using namespace heddle;

namespace {

struct logged {
  std::string who;
  fs_t when;
  bool operator==(const logged& other) const { return who == other.who && when == other.when; }
};
std::ostream& operator<<(std::ostream& out, const logged& s) {
  return out << s.who << " at " << s.when;
}

// Calls itself at those instants, one after the other, and logs what it sees.
class ticker {
 public:
  ticker(std::vector<logged>& log, std::string name, std::vector<fs_t> instants)
      : call_(timed_call::to<ticker, &ticker::run>(*this)),
        log_(log),
        name_(std::move(name)),
        instants_(std::move(instants)) {
    call_.at(instants_.front());
  }
  std::function<void(fs_t)> then;

 private:
  void run() {
    CHECK(sc_core::sc_time_stamp().value() == now_fs());
    log_.push_back({name_, now_fs()});
    if (++next_ < instants_.size()) call_.at(instants_[next_]);
    if (then) then(now_fs());
  }

  timed_call call_;
  std::vector<logged>& log_;
  std::string name_;
  std::vector<fs_t> instants_;
  std::size_t next_ = 0;
};

// A process of somebody else, which an event triggers.
void add_method(sc_core::sc_event& by, std::function<void()> body) {
  sc_core::sc_spawn_options options;
  options.spawn_method();
  options.dont_initialize();
  options.set_sensitivity(&by);
  sc_core::sc_spawn(std::move(body), nullptr, &options);
}

using entries = std::vector<logged>;

}  // namespace

TEST_CASE("the agenda alone moves time from call to call, without delta cycles of the kernel") {
  entries log;
  const ticker first(log, "first", {10, 30, 50, 70});
  const ticker second(log, "second", {30, 40});
  run_kernel();
  CHECK(log == entries{{"first", 10},
                       {"second", 30},
                       {"first", 30},
                       {"second", 40},
                       {"first", 50},
                       {"first", 70}});
  CHECK(time_moves() == 4);
  CHECK(now_fs() == 70);
  CHECK(sc_core::sc_delta_count() == 1);
}

TEST_CASE("under sc_start() time is the kernel's alone") {
  entries log;
  const ticker calls(log, "call", {10, 30, 50});
  sc_core::sc_start();
  CHECK(log == entries{{"call", 10}, {"call", 30}, {"call", 50}});
  CHECK(time_moves() == 0);
}

TEST_CASE("what is due at the end of a run belongs to the next one, as under sc_start()") {
  entries log;
  const ticker calls(log, "call", {10, 30, 50, 51, 90});
  run_kernel_for(50);
  CHECK(log == entries{{"call", 10}, {"call", 30}});
  CHECK(now_fs() == 50);
  run_kernel_for(30);
  CHECK(log == entries{{"call", 10}, {"call", 30}, {"call", 50}, {"call", 51}});
  CHECK(now_fs() == 80);
  run_kernel_for(100, sc_core::SC_EXIT_ON_STARVATION);
  CHECK(log.back() == logged{"call", 90});
  CHECK(now_fs() == 90);
}

TEST_CASE("processes that calls notify run at their instants, seen from moved time") {
  entries log;
  sc_core::sc_event soon, later;
  add_method(soon, [&] { log.push_back({"soon", now_fs()}); });
  add_method(later, [&] { log.push_back({"later", now_fs()}); });
  ticker calls(log, "call", {10, 20, 30, 40, 50, 60});
  calls.then = [&](fs_t now) {
    if (now == 30) soon.notify(sc_core::SC_ZERO_TIME);
    if (now == 30) later.notify(to_sc_time(15));
    if (now == 60) soon.notify();
  };
  run_kernel();
  CHECK(log == entries{{"call", 10},
                       {"call", 20},
                       {"call", 30},
                       {"soon", 30},
                       {"call", 40},
                       {"later", 45},
                       {"call", 50},
                       {"call", 60},
                       {"soon", 60}});
  CHECK(time_moves() == 3);
}

TEST_CASE("delta cycles of an instant to which time was moved are counted from 0") {
  entries log;
  std::vector<sc_dt::uint64> counts;
  const auto count = [&] { counts.push_back(sc_core::sc_delta_count_at_current_time()); };
  sc_core::sc_event notified;
  add_method(notified, count);
  ticker calls(log, "call", {10, 20, 30});
  calls.then = [&](fs_t now) {
    count();
    if (now == 20) notified.notify(sc_core::SC_ZERO_TIME);
  };
  run_kernel();
  CHECK(counts == std::vector<sc_dt::uint64>{0, 0, 1, 0});
}

TEST_CASE("whoever stops the run stops it at the instant of the call") {
  entries log;
  ticker calls(log, "call", {10, 20, 30, 40});
  calls.then = [](fs_t now) {
    if (now == 30) sc_core::sc_stop();
  };
  run_kernel();
  CHECK(log.size() == 3);
  CHECK(now_fs() == 30);
}

TEST_CASE("time is not moved past a thread that is due") {
  entries log;
  const ticker calls(log, "call", {10, 20, 30});
  sc_core::sc_spawn([&] {
    sc_core::wait(to_sc_time(15));
    log.push_back({"thread", now_fs()});
  });
  run_kernel();
  CHECK(log == entries{{"call", 10}, {"thread", 15}, {"call", 20}, {"call", 30}});
  CHECK(time_moves() == 1);  // to 30
}

TEST_CASE("a process that is due with the next call runs in the delta cycle of that call") {
  entries log;
  sc_core::sc_event other;
  add_method(other, [&] { log.push_back({"other", now_fs()}); });
  ticker calls(log, "call", {10, 20, 30, 40});
  calls.then = [&](fs_t now) {
    if (now == 20) other.notify(to_sc_time(10));
  };
  run_kernel();
  REQUIRE(log.size() == 5);
  CHECK(log[2].when == 30);
  CHECK(log[3].when == 30);
  CHECK(log[4] == logged{"call", 40});
  CHECK(time_moves() == 2);
}

TEST_CASE("a signal that a call writes has its value before the next call") {
  entries log;
  sc_core::sc_signal<int, sc_core::SC_MANY_WRITERS> level("level");
  std::vector<int> seen;
  ticker calls(log, "call", {10, 20, 30});
  calls.then = [&](fs_t now) {
    seen.push_back(level.read());
    level.write(static_cast<int>(now));
  };
  run_kernel();
  CHECK(seen == std::vector<int>{0, 10, 20});
  CHECK(level.read() == 30);
}

TEST_CASE("a call that throws ends the run at its instant") {
  entries log;
  ticker calls(log, "call", {10, 20, 30});
  calls.then = [](fs_t now) {
    if (now == 20) throw std::runtime_error("broken");
  };
  CHECK_THROWS(run_kernel());
  CHECK(now_fs() == 20);
  CHECK_FALSE(move_time(25));
}
