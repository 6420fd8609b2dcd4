#include "transactors/arbitration/port_set.hpp"

#include <catch2/catch.hpp>
#include <random>
#include <set>
#include <vector>

#include "transactors/arbitration/word_set.hpp"

using namespace heddle;

namespace {

int next_plainly(const std::set<int>& members, int from) {
  const auto found = members.lower_bound(from);
  return found == members.end() ? *members.begin() : *found;
}

template <class Set>
void check_like_a_plain_set(Set& set, int members) {
  std::mt19937 random(static_cast<unsigned>(members));
  const auto any = [&] { return static_cast<int>(random() % static_cast<unsigned>(members)); };
  std::set<int> plain;
  for (int step = 0; step < 3000; ++step) {
    const int member = any();
    // Sparse and dense phases in turn.
    if (random() % 3 < (step / 500 % 2 ? 2U : 1U)) {
      set.insert(member);
      plain.insert(member);
    } else if (!plain.empty()) {
      const int victim = next_plainly(plain, member);
      set.erase(victim);
      plain.erase(victim);
    }
    REQUIRE(set.empty() == plain.empty());
    if (plain.empty()) continue;
    const int from = any();
    REQUIRE(set.next(from) == next_plainly(plain, from));
    REQUIRE(set.next(members) == next_plainly(plain, members));
  }
  std::vector<int> visited;
  set.for_each([&](int member) { visited.push_back(member); });
  CHECK(visited == std::vector<int>(plain.begin(), plain.end()));
  set.clear();
  CHECK(set.empty());
  set.for_each([](int) { FAIL("the set is empty"); });
}

}  // namespace

TEST_CASE("a set of ports is searched like a plain one") {
  const int ports = GENERATE(1, 2, 63, 64, 65, 128, 500, 1024);
  port_set set(ports);
  check_like_a_plain_set(set, ports);
}

TEST_CASE("a set in one word is searched like a plain one") {
  word_set<std::uint64_t> large;
  check_like_a_plain_set(large, 64);
  word_set<std::uint8_t> small;
  check_like_a_plain_set(small, 5);
}

TEST_CASE("a set in several words is searched like a plain one") {
  word_set<wide_word<2>> two;
  check_like_a_plain_set(two, 128);
  word_set<wide_word<16>> many;
  check_like_a_plain_set(many, 1024);
}

TEST_CASE("members may be erased while they are visited") {
  const int ports = GENERATE(64, 1024);
  port_set set(ports);
  for (int port = 0; port < ports; port += 3) set.insert(port);
  int visited = 0;
  set.for_each([&](int port) {
    ++visited;
    set.erase(port);
  });
  CHECK(visited == (ports + 2) / 3);
  CHECK(set.empty());
}

TEST_CASE("sets of ports are counted and merged") {
  const int ports = GENERATE(64, 1024);
  port_set odd(ports), threes(ports);
  for (int port = 1; port < ports; port += 2) odd.insert(port);
  for (int port = 0; port < ports; port += 3) threes.insert(port);
  CHECK(odd.size() == ports / 2);
  odd.merge(threes);
  int expected = 0;
  for (int port = 0; port < ports; ++port) {
    const bool is_in = port % 2 == 1 || port % 3 == 0;
    CHECK(odd.has(port) == is_in);
    expected += is_in;
  }
  CHECK(odd.size() == expected);
}
