#include "transactors/arbitration/islip.hpp"

#include <catch2/catch.hpp>
#include <random>

#include "tests/unit/arbitration/naive_islip.hpp"
#include "transactors/arbitration/word_set.hpp"

using namespace heddle;

namespace {

using switch_islip = islip<word_set<std::uint64_t>, 64>;

template <class Matcher>
std::vector<naive_islip::pair> match(Matcher& m) {
  std::vector<naive_islip::pair> matches;
  m.match([&](int requester, int resource) { matches.push_back({requester, resource}); });
  return matches;
}

}  // namespace

TEST_CASE("nothing is matched without requests") {
  switch_islip m;
  CHECK(match(m).empty());
  m.request(3, 5);
  CHECK(match(m).size() == 1);
  CHECK(match(m).empty());
}

TEST_CASE("pointers move behind an accepted match only") {
  switch_islip m;
  // Both resources grant requester 0, who accepts resource 0; resource 1 keeps its pointer.
  for (int requester : {0, 1})
    for (int resource : {0, 1}) m.request(requester, resource);
  CHECK(match(m) == std::vector<naive_islip::pair>{{0, 0}});
  for (int requester : {0, 1})
    for (int resource : {0, 1}) m.request(requester, resource);
  CHECK(match(m) == std::vector<naive_islip::pair>{{0, 1}, {1, 0}});
}

namespace {

template <class Matcher>
void check_like_the_plain_one(Matcher& fast, int ports, double density) {
  std::mt19937 random(static_cast<unsigned>(ports));
  std::bernoulli_distribution asks(density);
  naive_islip plain(ports, ports);
  const int cycles = ports > 64 ? 30 : 300;
  for (int cycle = 0; cycle < cycles; ++cycle) {
    for (int requester = 0; requester < ports; ++requester)
      for (int resource = 0; resource < ports; ++resource)
        if (asks(random)) {
          plain.asks[requester][resource] = true;
          fast.request(requester, resource);
        }
    REQUIRE(match(fast) == plain.match());
  }
}

}  // namespace

TEST_CASE("it matches like the plain formulation") {
  const int ports = GENERATE(2, 5, 8, 33, 64);
  const double density = GENERATE(0.05, 0.3, 1.0);
  switch_islip fast;
  check_like_the_plain_one(fast, ports, density);
}

TEST_CASE("with a fixed number of ports it matches alike") {
  islip<word_set<std::uint8_t>, 5> small;
  check_like_the_plain_one(small, 5, 0.3);
  islip<word_set<wide_word<4>>, 200> large;
  check_like_the_plain_one(large, 200, 0.3);
}

TEST_CASE("under full load the pointers spread until every port is matched in every cycle") {
  constexpr int ports = 16;
  switch_islip m;
  std::size_t matched = 0;
  for (int cycle = 0; cycle < 3 * ports; ++cycle) {
    for (int requester = 0; requester < ports; ++requester)
      for (int resource = 0; resource < ports; ++resource) m.request(requester, resource);
    matched = match(m).size();
  }
  CHECK(matched == ports);
}
