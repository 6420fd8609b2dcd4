#include "platform/time/soon_queue.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <random>
#include <set>
#include <utility>

using namespace heddle;

namespace {

struct due_entry {
  due_entry(fs_t when, std::uint64_t number) : due(when), sequence(number) {}
  fs_t due;
  std::uint64_t sequence;
};

// Pushes and takes at random, with the delays of `reach`; what is taken is compared with a set.
template <class Delay>
void check_against_set(std::uint64_t seed, Delay delay) {
  std::mt19937_64 random(seed);
  soon_queue<due_entry> ours;
  std::set<std::pair<fs_t, std::uint64_t>> reference;
  fs_t now = 0;
  std::uint64_t sequence = 0;
  for (int round = 0; round < 5000; ++round) {
    for (std::uint64_t i = random() % 3; i > 0; --i) {
      const fs_t due = now + delay(random);
      ours.push(due, ++sequence);
      reference.emplace(due, sequence);
    }
    REQUIRE(ours.empty() == reference.empty());
    if (ours.empty()) continue;
    REQUIRE(ours.first().due == reference.begin()->first);
    REQUIRE(ours.first().sequence == reference.begin()->second);
    now = ours.first().due;
    ours.pop();
    reference.erase(reference.begin());
  }
}

}  // namespace

TEST_CASE("what is due soon comes in order, and in that of its coming at one instant") {
  const auto seed = GENERATE(range(0U, 4U));
  SECTION("after a few delays") {
    check_against_set(seed, [](auto& random) { return 7 * (random() % 3); });
  }
  SECTION("in any order") {
    check_against_set(seed, [](auto& random) { return random() % 1000; });
  }
  SECTION("at once") {
    check_against_set(seed, [](auto&) { return 0; });
  }
}

TEST_CASE("a queue that is never empty takes in and gives out in order") {
  soon_queue<due_entry> ours;
  ours.push(0, 1U);
  for (std::uint64_t i = 1; i < 5000; ++i) {
    ours.push(i, i + 1);
    REQUIRE(ours.first().due == i - 1);
    ours.pop();
  }
  CHECK(ours.first().due == 4999);
  ours.pop();
  CHECK(ours.empty());
}
