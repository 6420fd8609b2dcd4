// Several lanes of a clock domain do what one does, cycle by cycle.
#include <algorithm>
#include <array>
#include <atomic>
#include <catch2/catch.hpp>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "platform/random/random_stream.hpp"
#include "platform/time/clock_domain.hpp"
#include "platform/time/kernel_run.hpp"

using namespace heddle;

namespace {

// Asks for one further cycle, of its own or of its neighbor, after a delay that it draws: there are
// never more walkers awake than at the start.
struct walker : lane_mailbox::addressee {
  using concurrent = void;

  walker(clock_domain& domain, std::size_t number) : walker(number) { domain.join(*this, clock); }
  explicit walker(std::size_t number) : random(1, std::to_string(number)) {}
  virtual ~walker() = default;

  void evaluate(cycle_t cycle) {
    if (fails_in == cycle)
      throw std::runtime_error("it stumbles in " + std::to_string(cycle - begin));
    seen.push_back(cycle - begin);
    goes_back |= latest->exchange(cycle) >= cycle + mail_takes;
    threads.insert(std::this_thread::get_id());
    if (put_off && (!puts_off_in || puts_off_in(cycle)))
      clock.after_cycle([this, cycle] { put_off(cycle); });
    if (seen.size() >= most) return;
    if (never_sleeps) clock.wake(cycle + 1);
    const cycle_t ahead = 1 + random.below(reach);
    if (random.below(2) == 0)
      clock.wake(cycle + ahead);
    else
      tell_neighbor(cycle + mail_takes - 1 + ahead);
  }

  // Before anybody is awake. Mail takes so many cycles at least.
  void know(walker& next, cycle_t cycles) {
    neighbor = &next;
    mail_takes = cycles;
    if (&next.clock.lane() != &clock.lane())
      mail = &next.clock.lane().mailbox_from(clock.lane(), cycles);
  }
  // By mail, if it is in another lane.
  void tell_neighbor(cycle_t when) const {
    if (!mail) return neighbor->hear(when);
    const auto detail = static_cast<std::uint32_t>(when);
    lane_mailbox::letter& letter = is_odd(when) ? mail->post_in_case(*neighbor, when, detail, when)
                                                : mail->post(*neighbor, when, detail, when);
    letter.enclose(enclosed_for(when));
  }
  static std::array<std::uint64_t, 2> enclosed_for(cycle_t when) { return {~when, when * when}; }
  void receive(const lane_mailbox::letter& read, cycle_t cycle) override {
    is_garbled |= read.detail != static_cast<std::uint32_t>(cycle) ||
                  read.enclosed<std::array<std::uint64_t, 2>>() != enclosed_for(cycle);
    hear(cycle);
  }
  // It ignores some of the odd cycles, as a transmitter ignores credits that nobody waits for.
  void hear(cycle_t when) {
    ++heard;
    if (!is_odd(when) || (when - begin) % 7 != 0) clock.wake(when);
  }
  bool is_odd(cycle_t cycle) const { return (cycle - begin) % 2 == 1; }

  clock_member clock;
  random_stream random;
  cycle_t begin = 0;
  std::uint32_t reach = 3;
  cycle_t mail_takes = 1;
  std::size_t most = 50;
  bool never_sleeps = false;
  walker* neighbor = nullptr;
  lane_mailbox* mail = nullptr;
  cycle_t fails_in = clock_lane::never;
  std::atomic<cycle_t>* latest = nullptr;  // of all walkers
  bool goes_back = false;                  // a turn or more behind another walker
  bool is_garbled = false;                 // a letter
  std::size_t heard = 0;
  std::vector<cycle_t> seen;
  std::set<std::thread::id> threads;
  std::function<void(cycle_t)> put_off;
  std::function<bool(cycle_t)> puts_off_in;  // not there: every cycle
};

// Cycles count from now.
struct crowd {
  crowd(int threads, std::size_t members, cycle_t mail_takes = 1) {
    agenda::instance();
    domains.use_threads(threads);
    for (std::size_t i = 0; i < members; ++i)
      walkers.push_back(std::make_unique<walker>(domain, i));
    domains.spread();
    for (std::size_t i = 0; i < members; ++i) {
      walkers[i]->begin = begin;
      walkers[i]->latest = &latest;
      walkers[i]->know(*walkers[(i * 7 + 3) % members], mail_takes);
    }
  }
  // So many start.
  void run(std::size_t awake) {
    for (std::size_t i = 0; i < awake; ++i)
      walkers[i * walkers.size() / awake]->clock.wake(begin + 1 + i % 5);
    run_kernel();
  }
  void run() { run(walkers.size()); }

  clock_domains domains;
  clock_domain& domain = domains.with_period(fs_per_ns);
  cycle_t begin = domain.next_cycle();
  std::atomic<cycle_t> latest{0};
  std::vector<std::unique_ptr<walker>> walkers;
};

struct outcome {
  std::vector<std::vector<cycle_t>> seen;  // by walker
  std::vector<std::size_t> heard;          // the same
  std::uint64_t activations = 0;
  cycle_t end = 0;
};

outcome walk(int threads, std::uint32_t reach, std::size_t awake, cycle_t mail_takes) {
  crowd all(threads, 80, mail_takes);
  for (const auto& each : all.walkers) each->reach = reach;
  all.run(awake);
  outcome result;
  for (const auto& each : all.walkers) {
    CHECK_FALSE(each->goes_back);
    CHECK_FALSE(each->is_garbled);
    result.seen.push_back(each->seen);
    result.heard.push_back(each->heard);
  }
  result.activations = all.domain.activations();
  result.end = now_fs() / fs_per_ns - all.begin;
  return result;
}

}  // namespace

TEST_CASE("members are shared out to lanes in the order in which they joined") {
  const crowd all(3, 100);
  REQUIRE(all.domain.lanes() == 3);
  std::vector<const clock_lane*> lanes;
  std::map<const clock_lane*, int> sizes;
  for (const auto& each : all.walkers) {
    if (lanes.empty() || lanes.back() != &each->clock.lane()) lanes.push_back(&each->clock.lane());
    ++sizes[lanes.back()];
  }
  CHECK(lanes.size() == 3);
  for (const auto& [lane, size] : sizes) CHECK((size == 33 || size == 34));
}

TEST_CASE("few members stay in one lane") {
  CHECK(crowd(8, 31).domain.lanes() == 1);
  CHECK(crowd(8, 64).domain.lanes() == 4);
}

TEST_CASE("members stay in one lane where some are not concurrent") {
  struct loner {
    void evaluate(cycle_t) {}
    clock_member clock;
  } one;
  clock_domains domains;
  clock_domain& domain = domains.with_period(fs_per_ns);
  domain.join(one, one.clock);
  std::vector<std::unique_ptr<walker>> walkers;
  for (std::size_t i = 0; i < 100; ++i) walkers.push_back(std::make_unique<walker>(domain, i));
  domains.use_threads(2);
  domains.spread();
  CHECK(domain.lanes() == 1);
}

TEST_CASE("lanes evaluate the cycles that one lane does, and end when it ends") {
  for (const std::uint32_t reach : {1, 3, 40, 500})  // the last of them beyond the wheel
    for (const cycle_t mail_takes : {1, 2, 5, 100})  // the last of them more than a turn has cycles
      for (const std::size_t awake : {80, 30, 3, 1}) {
        const outcome alone = walk(1, reach, awake, mail_takes);
        for (const int threads : {2, 3, 5}) {
          INFO("reach " << reach << ", mail takes " << mail_takes << ", awake " << awake
                        << ", threads " << threads);
          const outcome together = walk(threads, reach, awake, mail_takes);
          CHECK(together.seen == alone.seen);
          CHECK(together.heard == alone.heard);
          CHECK(together.activations == alone.activations);
          CHECK(together.end == alone.end);
        }
      }
}

TEST_CASE("a lane has one thread, and several lanes have several") {
  crowd all(2, 64);
  for (const auto& each : all.walkers) each->never_sleeps = true;
  all.run();
  const std::thread::id own = std::this_thread::get_id();
  for (std::size_t i = 0; i < 32; ++i)
    CHECK(all.walkers[i]->threads == std::set<std::thread::id>{own});
  std::set<std::thread::id> others;
  for (std::size_t i = 32; i < 64; ++i)
    others.insert(all.walkers[i]->threads.begin(), all.walkers[i]->threads.end());
  others.erase(own);  // which evaluates all of a cycle behind one in which little happened
  CHECK(others.size() == 1);
}

TEST_CASE("what members put off is done behind the cycle, by the thread of the simulation") {
  for (const int threads : {1, 3}) {
    crowd all(threads, 60);
    std::vector<std::size_t> done;
    std::set<std::thread::id> by;
    std::size_t evaluated = 0;
    for (std::size_t i = 0; i < all.walkers.size(); ++i) {
      all.walkers[i]->never_sleeps = true;
      all.walkers[i]->put_off = [&, i](cycle_t cycle) {
        if (cycle != all.begin + 20) return;
        done.push_back(i);
        by.insert(std::this_thread::get_id());
        evaluated = 0;
        for (const auto& each : all.walkers) evaluated += each->seen.back() == 20;
        CHECK(now_fs() == cycle * fs_per_ns);
      };
    }
    all.run();
    REQUIRE(done.size() == all.walkers.size());
    CHECK(std::is_sorted(done.begin(), done.end()));
    CHECK(by == std::set<std::thread::id>{std::this_thread::get_id()});
    CHECK(evaluated == all.walkers.size());
  }
}

TEST_CASE("what is put off in the middle of a turn is done behind it, in the time of its cycle") {
  constexpr cycle_t turn = 5;
  crowd all(2, 64, turn);
  for (const auto& each : all.walkers) each->never_sleeps = true;
  walker& one = *all.walkers[40];
  bool is_done = false;
  one.puts_off_in = [&](cycle_t cycle) { return cycle == all.begin + 23; };
  one.put_off = [&](cycle_t cycle) {
    is_done = true;
    CHECK(now_fs() == cycle * fs_per_ns);
    for (const auto& each : all.walkers) {
      CHECK(each->seen.back() >= 23);
      CHECK(each->seen.back() < 23 + turn);
    }
  };
  all.run();
  CHECK(is_done);
}

TEST_CASE("what is put off changes nothing behind it") {
  const auto seen_with = [](int threads) {
    crowd all(threads, 64, 8);
    for (std::size_t i = 0; i < all.walkers.size(); ++i) {
      walker& each = *all.walkers[i];
      each.reach = 75;  // beyond the wheel
      each.puts_off_in = [&all, i](cycle_t cycle) { return (cycle - all.begin + i) % 61 == 0; };
      each.put_off = [](cycle_t) {};
    }
    all.run();
    std::vector<std::vector<cycle_t>> seen;
    for (const auto& each : all.walkers) seen.push_back(each->seen);
    return seen;
  };
  const auto alone = seen_with(1);
  CHECK(seen_with(2) == alone);
  CHECK(seen_with(4) == alone);
}

TEST_CASE("what is put off is done in the order of one lane, whatever the order of evaluation") {
  struct second_type : walker {
    second_type(clock_domain& domain, std::size_t number) : walker(number) {
      domain.join(*this, clock);
    }
  };
  const auto order_with = [](int threads) {
    agenda::instance();
    clock_domains domains;
    clock_domain& domain = domains.with_period(fs_per_ns);
    domains.use_threads(threads);
    const cycle_t begin = domain.next_cycle();
    std::atomic<cycle_t> latest{0};
    std::vector<std::size_t> done;
    std::vector<std::unique_ptr<walker>> all;
    for (std::size_t i = 0; i < 150; ++i) {
      if (i % 3 == 0)
        all.push_back(std::make_unique<second_type>(domain, i));
      else
        all.push_back(std::make_unique<walker>(domain, i));
    }
    domains.spread();
    for (std::size_t i = 0; i < all.size(); ++i) {
      walker& each = *all[i];
      each.begin = begin;
      each.latest = &latest;
      each.know(each, 1);
      each.never_sleeps = true;
      each.put_off = [&, i](cycle_t cycle) {
        if (cycle == begin + 20 && i % 5 != 0) done.push_back(i);
      };
      each.clock.wake(begin + 1);
    }
    run_kernel();
    return done;
  };
  const std::vector<std::size_t> alone = order_with(1);
  CHECK(alone.size() == 120);
  CHECK(order_with(2) == alone);
  CHECK(order_with(3) == alone);
}

namespace {

// Walkers of two lanes, in turns of five cycles, of which these put off an action or fail in a
// cycle each. Returns what was done, until one stops the run.
std::string done_by(const std::map<std::size_t, cycle_t>& actions,
                    const std::map<std::size_t, cycle_t>& failures, std::size_t stopping = 64) {
  crowd all(2, 64, 5);
  std::string done;
  for (const auto& each : all.walkers) each->never_sleeps = true;
  for (const auto& [place, cycle] : failures) all.walkers[place]->fails_in = all.begin + cycle;
  for (const auto& [place, cycle] : actions) {
    walker& one = *all.walkers[place];
    one.puts_off_in = [&all, wanted = cycle](cycle_t now) { return now == all.begin + wanted; };
    one.put_off = [&, acting = place](cycle_t now) {
      done += std::to_string(acting) + " in " + std::to_string(now - all.begin) + ", ";
      if (acting == stopping) sc_core::sc_stop();
    };
  }
  try {
    all.run();
  } catch (const std::exception& error) {
    done += error.what();
  }
  return done;
}

}  // namespace

// Turns begin with the cycles 1, 2, 7, 12, 17 and 22.
TEST_CASE("of what was put off in a turn, that of earlier cycles is done first") {
  CHECK(done_by({{3, 24}, {40, 22}, {10, 22}, {50, 21}}, {}) ==
        "50 in 21, 10 in 22, 40 in 22, 3 in 24, ");
}
TEST_CASE("what was put off behind the end of the run is not done") {
  CHECK(done_by({{3, 24}, {40, 22}, {41, 22}, {10, 23}}, {}, 40) == "40 in 22, 41 in 22, ");
}
TEST_CASE("the first error of a turn ends the run, behind what was put off before it") {
  const std::string done = done_by({{50, 21}, {45, 22}, {4, 23}}, {{3, 24}, {40, 22}});
  CHECK_THAT(done, Catch::StartsWith("50 in 21, Error") && Catch::Contains("it stumbles in 22"));
}
TEST_CASE("what was put off in earlier cycles of a turn is done before its error") {
  const std::string done = done_by({{45, 22}, {10, 23}}, {{3, 24}});
  CHECK_THAT(
      done, Catch::StartsWith("45 in 22, 10 in 23, Error") && Catch::Contains("it stumbles in 24"));
}
TEST_CASE("what was put off in the cycle of an error is not done") {
  const std::string done = done_by({{1, 22}, {45, 22}, {39, 21}}, {{40, 22}});
  CHECK_THAT(done, Catch::StartsWith("39 in 21, Error") && Catch::Contains("it stumbles in 22"));
}

TEST_CASE("a member may end the run by what it puts off") {
  crowd all(2, 64);
  walker& last = *all.walkers.back();
  last.put_off = [&](cycle_t cycle) {
    if (cycle > all.begin + 30) sc_core::sc_stop();
  };
  last.never_sleeps = true;
  for (const auto& each : all.walkers) each->most = 1'000'000;
  all.run();
  CHECK(last.seen.back() > 30);
  CHECK(now_fs() == (all.begin + last.seen.back()) * fs_per_ns);
}

namespace {

// The other lane is through with the cycle all the same. Where few are awake, one thread evaluates
// both.
void check_error_of(std::size_t place, std::size_t awake) {
  crowd all(2, 64);
  all.walkers[place]->fails_in = all.begin + 30;
  for (const auto& each : all.walkers) {
    each->never_sleeps = true;
    each->neighbor = each.get();
    each->mail = nullptr;
  }
  CHECK_THROWS_WITH(all.run(awake), Catch::Contains("it stumbles"));
  const std::size_t other = place < 32 ? 32 : 0;
  for (std::size_t i = other; i < other + 32; i += 64 / awake)
    CHECK(all.walkers[i]->seen.back() == 30);
}

}  // namespace

TEST_CASE("an error of the first lane arrives at the simulation") {
  check_error_of(0, 64);
}
TEST_CASE("an error of the first lane arrives at the simulation from one thread") {
  check_error_of(0, 8);
}
TEST_CASE("an error of another lane arrives at the simulation") {
  check_error_of(32, 64);
}
TEST_CASE("an error of another lane arrives at the simulation from one thread") {
  check_error_of(32, 8);
}
