#include <catch2/catch.hpp>
#include <cstdint>
#include <memory>
#include <vector>

#include "platform/random/random_stream.hpp"
#include "platform/time/clock_domain.hpp"
#include "platform/time/kernel_run.hpp"

using namespace heddle;

namespace {

struct ticker {
  explicit ticker(clock_domain& domain) { domain.join(*this, clock); }
  void evaluate(cycle_t cycle) {
    seen.push_back(cycle);
    if (repeat > 0 && seen.size() < 5) clock.wake(cycle + repeat);
    if (other && seen.size() == 1) other->wake(cycle + 1);
  }
  clock_member clock;
  cycle_t repeat = 0;
  const clock_member* other = nullptr;
  std::vector<cycle_t> seen;
};

// Goes on in some cycles and sleeps through others, as bits of its pattern say by turns.
struct sorted_member {
  sorted_member(clock_domain& domain, std::uint64_t bits) : pattern(bits) {
    domain.join(*this, clock);
  }
  template <member_state state>
  bool evaluate(cycle_t cycle) {
    const bool is_next = !seen.empty() && seen.back().cycle + 1 == cycle;
    const member_state expected = !is_next     ? member_state::woken
                                  : was_loaded ? member_state::loaded
                                               : member_state::light;
    seen.push_back({cycle, state == expected});
    const std::uint64_t drawn = pattern >> seen.size() % 61;
    was_loaded = drawn & 1;
    const bool goes_on = drawn & 2;
    if (!goes_on && seen.size() < 200) clock.wake(cycle + 1 + (drawn >> 2) % 3);
    return goes_on && seen.size() < 200;
  }
  bool is_loaded() const { return was_loaded; }

  struct evaluation {
    cycle_t cycle;
    bool is_as_expected;
  };
  clock_member clock;
  std::uint64_t pattern;
  bool was_loaded = false;
  std::vector<evaluation> seen;
};

void check_near_and_far(void (*run)()) {
  agenda::instance();
  clock_domain domain(fs_per_ns);
  ticker near(domain), far(domain), edge(domain), idle(domain);
  near.repeat = 1;
  far.repeat = 1000;
  edge.repeat = 63;
  near.clock.wake(3);
  near.clock.wake(3);  // asked twice, evaluated once
  far.clock.wake(3);
  edge.clock.wake(64);
  run();
  CHECK(near.seen == std::vector<cycle_t>{3, 4, 5, 6, 7});
  CHECK(far.seen == std::vector<cycle_t>{3, 1003, 2003, 3003, 4003});
  CHECK(edge.seen == std::vector<cycle_t>{64, 127, 190, 253, 316});
  CHECK(idle.seen.empty());
  CHECK(domain.activations() == 5 + 4 + 5);  // cycle 3 serves two
  CHECK(now_fs() == 4003 * fs_per_ns);
  CHECK(domain.latest_start() == 4003 * fs_per_ns);
}

void check_one_turn_of_the_wheel(void (*run)()) {
  agenda::instance();
  clock_domain domain(fs_per_ns);
  std::vector<std::unique_ptr<ticker>> members;
  for (int i = 0; i < 130; ++i) members.push_back(std::make_unique<ticker>(domain));
  for (const auto& each : members) {
    each->repeat = 64;
    each->clock.wake(10);
  }
  members[0]->other = &members[129]->clock;
  run();
  for (std::size_t i = 0; i < 129; ++i)
    REQUIRE(members[i]->seen == std::vector<cycle_t>{10, 74, 138, 202, 266});
  CHECK(members[129]->seen.front() == 10);
  CHECK(members[129]->seen[1] == 11);
}

void by_the_kernel() {
  sc_core::sc_start();
  CHECK(time_moves() == 0);
}
void by_itself() {
  run_kernel();
  CHECK(time_moves() > 4);
}

}  // namespace

TEST_CASE("a member is evaluated in the cycles that it asked for, near and far") {
  check_near_and_far(by_the_kernel);
}
TEST_CASE("a domain alone goes by itself to the cycles that members asked for") {
  check_near_and_far(by_itself);
}

TEST_CASE("a distance of exactly one turn of the wheel is not mistaken for now") {
  check_one_turn_of_the_wheel(by_the_kernel);
}
TEST_CASE("a domain alone goes round its wheel by itself") {
  check_one_turn_of_the_wheel(by_itself);
}

TEST_CASE("domains of two periods take turns when nobody else has something to do") {
  agenda::instance();
  clock_domain fast(2), slow(5);
  ticker often(fast), seldom(slow);
  often.repeat = seldom.repeat = 1;
  often.clock.wake(1);
  seldom.clock.wake(1);
  run_kernel_for(8);
  CHECK(often.seen == std::vector<cycle_t>{1, 2, 3});  // what is due at 8 comes in the next run
  CHECK(seldom.seen == std::vector<cycle_t>{1});
  run_kernel();
  CHECK(often.seen == std::vector<cycle_t>{1, 2, 3, 4, 5});
  CHECK(seldom.seen == std::vector<cycle_t>{1, 2, 3, 4, 5});
  CHECK(now_fs() == 25);
}

TEST_CASE("others come in with the earliest cycle that was not evaluated") {
  agenda::instance();
  clock_domain domain(2 * fs_per_ns);
  ticker member(domain);
  CHECK(domain.next_cycle() == 0);
  sc_core::sc_start(to_sc_time(5 * fs_per_ns));
  CHECK(domain.next_cycle() == 3);
  member.clock.wake(domain.next_cycle());
  sc_core::sc_start(to_sc_time(2 * fs_per_ns));
  CHECK(member.seen == std::vector<cycle_t>{3});
  CHECK(domain.next_cycle() == 4);
  CHECK(domain.start_of(4) == 8 * fs_per_ns);
}

TEST_CASE("domains of a run are shared by period") {
  clock_domains domains;
  CHECK(&domains.with_period(1) == &domains.with_period(1));
  CHECK(&domains.with_period(1) != &domains.with_period(2));
}

TEST_CASE("members whose work differs are told what is known of them, each once a cycle") {
  agenda::instance();
  clock_domain domain(fs_per_ns);
  random_stream random(1, "patterns");
  std::vector<std::unique_ptr<sorted_member>> members;
  for (int i = 0; i < 150; ++i)
    members.push_back(std::make_unique<sorted_member>(domain, random.next()));
  for (const auto& each : members) each->clock.wake(5 + random.below(3));
  run_kernel();
  for (const auto& each : members) {
    REQUIRE(each->seen.size() == 200);
    for (std::size_t i = 0; i < each->seen.size(); ++i) {
      REQUIRE(each->seen[i].is_as_expected);
      if (i > 0) REQUIRE(each->seen[i].cycle > each->seen[i - 1].cycle);
    }
  }
}
