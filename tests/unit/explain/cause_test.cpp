#include "platform/explain/running_cause.hpp"

#include <catch2/catch.hpp>

using namespace heddle;

namespace {

constexpr site_id here = 1, there = 2;

int length(const cause& why) {
  int steps = 0;
  for (step each = why.latest(); each; each = each.before()) ++steps;
  return steps;
}

}  // namespace

TEST_CASE("an empty cause stays empty") {
  cause why;
  why.then(category::memory, here, 10);
  why.mark(category::memory, here, 10);
  why.cut(5);
  why.join(cause());
  CHECK_FALSE(why);
  CHECK(why.when() == 0);
}

TEST_CASE("a step ends where it says and begins where the one before it ends") {
  cause why = cause::start(here, 100);
  why.then(category::memory, there, 130);
  REQUIRE(why.latest().before());
  CHECK(why.when() == 130);
  CHECK(why.latest().what() == category::memory);
  CHECK(why.latest().where() == there);
  CHECK(why.latest().before().when() == 100);
}

TEST_CASE("time does not go back along a chain") {
  cause why = cause::start(here, 100);
  why.then(category::memory, there, 100);
  why.then(category::memory, there, 99);
  CHECK(length(why) == 1);
  why.mark(category::wave_slot, here, 99);
  CHECK(length(why) == 2);
  CHECK(why.when() == 100);
}

TEST_CASE("a step like the one before it makes that one longer, also when others share it") {
  cause why = cause::start(here, 0);
  why.then(category::serialization, here, 10);
  const cause shared = why;
  why.then(category::serialization, here, 20);
  why.then(category::serialization, here, 30);
  CHECK(length(why) == 2);
  CHECK(why.when() == 30);
  CHECK(shared.when() == 10);
  why.then(category::serialization, there, 40);
  CHECK(length(why) == 3);
}

TEST_CASE("the later of two causes is the reason") {
  cause early = cause::start(here, 10), late = cause::start(there, 20);
  cause why;
  why.join(early);
  CHECK(why.when() == 10);
  why.join(late);
  why.join(early);
  CHECK(why.latest() == late.latest());
}

TEST_CASE("what overlaps with its cause goes on from the middle of it") {
  cause why = cause::start(here, 0);
  why.then(category::propagation, here, 10);
  why.then(category::memory, here, 50);
  const cause whole = why;
  why.cut(30);
  CHECK(why.when() == 30);
  CHECK(why.latest().what() == category::memory);
  CHECK(why.latest().before().when() == 10);
  why.cut(4);
  CHECK(why.when() == 4);
  CHECK(why.latest().what() == category::propagation);
  CHECK(whole.when() == 50);
}

TEST_CASE("a chain leads back to a step, and knows what it spent since") {
  cause issued = cause::start(here, 0);
  issued.mark(category::wave_slot, here, 10);
  cause why = issued;
  why.then(category::propagation, there, 20);
  why.then(category::memory, there, 50);
  why.then(category::propagation, there, 55);
  CHECK(why.back_to(category::wave_slot, here).latest() == issued.latest());
  CHECK_FALSE(why.back_to(category::wave_slot, there));
  CHECK(why.spent(category::propagation, issued.when()) == 15);
  CHECK(why.spent(category::propagation, 18) == 7);
  CHECK(why.spent(category::memory, 40) == 10);
}

TEST_CASE("what comes in turns is two steps, however often") {
  cause why = cause::start(here, 0);
  for (fs_t turn = 0; turn < 5; ++turn)
    why.then_in_turns(category::serialization, turn * 10 + 7, category::queueing, there,
                      turn * 10 + 10);
  REQUIRE(length(why) == 3);
  CHECK(why.when() == 50);
  CHECK(why.latest().what() == category::queueing);
  CHECK(why.latest().before().when() == 35);
  const cause shared = why;
  why.then_in_turns(category::serialization, 60, category::queueing, there, 60);
  CHECK(why.when() == 60);
  CHECK(why.latest().before().when() == 45);
  CHECK(shared.latest().before().when() == 35);
}

TEST_CASE("the running cause holds for a call, and not while its thread waits") {
  CHECK(running_cause::now() == nullptr);
  cause nothing, why = cause::start(here, 7);
  {
    const running_cause outer(why);
    CHECK(running_cause::now() == &why);
    {
      const cause_aside waiting;
      CHECK(running_cause::now() == nullptr);
    }
    const running_cause inner(nothing);
    CHECK(running_cause::now() == nullptr);
    CHECK_FALSE(running_cause::copy());
  }
  CHECK(running_cause::now() == nullptr);
}
