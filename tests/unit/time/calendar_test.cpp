#include "platform/time/calendar.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <random>
#include <vector>

using namespace heddle;

namespace {

struct due_entry {
  due_entry(fs_t when, int which) : due(when), number(which) {}
  fs_t due;
  int number;
};

// Adds and takes at random; what is taken is compared with an ordered map.
void check_against_map(std::uint64_t seed, fs_t reach) {
  std::mt19937_64 random(seed);
  calendar<due_entry> ours;
  std::multimap<fs_t, int> reference;
  int number = 0;
  for (int round = 0; round < 600; ++round) {
    for (std::uint64_t i = random() % 20; i > 0; --i) {
      const fs_t due = ours.taken_until() + random() % reach;
      ours.add(due, number);
      reference.emplace(due, number++);
    }
    REQUIRE(ours.size() == reference.size());
    constexpr fs_t longest_span = fs_per_ns;
    const fs_t asked = ours.taken_until() + random() % reach;
    const fs_t earliest = reference.empty() ? fs_never : reference.begin()->first;
    if (ours.is_empty_until(asked)) REQUIRE(earliest > asked);
    if (earliest > asked + longest_span) REQUIRE(ours.is_empty_until(asked));
    const fs_t skipped = ours.taken_until() + random() % reach;
    if (ours.skip_to(skipped)) {
      REQUIRE(ours.taken_until() > skipped);
      REQUIRE((reference.empty() || reference.begin()->first >= ours.taken_until()));
    }
    if (ours.empty()) continue;
    std::vector<due_entry> taken;
    ours.take_next(taken);
    REQUIRE(!taken.empty());
    for (const due_entry& each : taken) {
      REQUIRE(each.due < ours.taken_until());
      const auto [first, last] = reference.equal_range(each.due);
      const auto found =
          std::find_if(first, last, [&](const auto& entry) { return entry.second == each.number; });
      REQUIRE(found != last);
      reference.erase(found);
    }
    if (!reference.empty()) REQUIRE(reference.begin()->first >= ours.taken_until());
  }
}

}  // namespace

TEST_CASE("a calendar skips the spans in front of what is alone, if they are few") {
  calendar<due_entry> ours;
  REQUIRE(ours.skip_to(1 * fs_per_ns));
  REQUIRE(ours.taken_until() > 1 * fs_per_ns);
  ours.add(3 * fs_per_ns, 0);
  REQUIRE(ours.skip_to(2 * fs_per_ns));
  REQUIRE_FALSE(ours.skip_to(3 * fs_per_ns));
  REQUIRE_FALSE(ours.skip_to(100 * fs_per_ns));
  REQUIRE(ours.size() == 1);
}

TEST_CASE("a calendar hands out everything, span after span") {
  for (std::uint64_t seed = 1; seed <= 5; ++seed)
    for (const fs_t reach : {fs_t{1}, fs_t{1'000}, 100 * fs_per_ns, 10'000'000 * fs_per_ns})
      check_against_map(seed, reach);
}
