// Where each pattern sends: exact destinations, and shares of random ones.
#include "models/traffic/destination_pattern.hpp"

#include <catch2/catch.hpp>
#include <set>

using namespace heddle;

namespace {

// Endpoint e is the terminal node[e - 10]: places and endpoints are not the same.
constexpr endpoint_id first_endpoint = 10;

struct parameters : parameter_set {
  destination_parameters to{*this};
};

yaml_node word(const std::string& text) {
  return yaml_node::scalar(text, true, source_place{"a.yaml", 7, 3});
}

struct terminals {
  explicit terminals(int count) {
    for (int i = 0; i < count; ++i)
      known.add("node[" + std::to_string(i) + "]", static_cast<endpoint_id>(first_endpoint + i),
                packet_granularity::packets);
  }
  traffic_terminals known;

  destination_pattern start(int node, const std::vector<std::pair<std::string, std::string>>& keys,
                            std::uint64_t seed = 1) {
    parameters p;
    for (const auto& [key, value] : keys)
      for (parameter_base* each : p.all())
        if (each->name() == key) each->load(word(value));
    destination_pattern pattern(p.to.settings());
    pattern.start(known, packet_granularity::packets,
                  static_cast<endpoint_id>(first_endpoint + node), seed);
    return pattern;
  }

  // The node that gets the next packet.
  static int next(destination_pattern& pattern, random_stream& random) {
    return pattern.next(random) - first_endpoint;
  }
  // Of the first packet; -1 when none is sent.
  int to(int node, const std::vector<std::pair<std::string, std::string>>& keys,
         std::uint64_t seed = 1) {
    destination_pattern pattern = start(node, keys, seed);
    random_stream random(1, "test");
    return pattern.has_destination() ? next(pattern, random) : -1;
  }
};

std::vector<double> shares(destination_pattern& pattern, int nodes) {
  constexpr int draws = 40'000;
  std::vector<double> counts(nodes);
  random_stream random(5, "shares");
  for (int i = 0; i < draws; ++i) counts[terminals::next(pattern, random)] += 1.0 / draws;
  return counts;
}

}  // namespace

TEST_CASE("permutations are functions of the terminal's place") {
  terminals sixteen(16);
  for (int i = 0; i < 16; ++i) {
    INFO(i);
    CHECK(sixteen.to(i, {{"pattern", "ring"}}) == (i + 1) % 16);
    CHECK(sixteen.to(i, {{"pattern", "shift"}, {"shift", "5"}}) == (i + 5) % 16);
    CHECK(sixteen.to(i, {{"pattern", "bit_complement"}}) == (~i & 15));
    const int swapped = i % 4 * 4 + i / 4;
    CHECK(sixteen.to(i, {{"pattern", "transpose"}}) == (swapped == i ? -1 : swapped));
    CHECK(sixteen.to(i, {{"pattern", "transpose"}, {"itself", "true"}}) == swapped);
    CHECK(sixteen.to(i, {{"pattern", "all2one"}}) == (i == 0 ? -1 : 0));
    CHECK(sixteen.to(i, {{"pattern", "all2one"}, {"hot", "node[9]"}}) == (i == 9 ? -1 : 9));
  }
}

TEST_CASE("a random permutation sends each terminal to another, and depends on the seed alone") {
  terminals some(13);
  std::set<int> first, second;
  bool differs = false;
  for (int i = 0; i < 13; ++i) {
    const int to = some.to(i, {{"pattern", "permutation"}}, 1);
    CHECK(to != i);
    CHECK(some.to(i, {{"pattern", "permutation"}}, 1) == to);
    first.insert(to);
    second.insert(some.to(i, {{"pattern", "permutation"}}, 2));
    differs |= some.to(i, {{"pattern", "permutation"}}, 2) != to;
  }
  CHECK(first.size() == 13);
  CHECK(second.size() == 13);
  CHECK(differs);
}

TEST_CASE("uniform traffic leaves the terminal itself out, unless asked not to") {
  terminals four(4);
  destination_pattern others = four.start(2, {});
  const std::vector<double> without = shares(others, 4);
  CHECK(without[2] == 0);
  CHECK(without[0] == Approx(1.0 / 3).margin(0.01));
  destination_pattern all = four.start(2, {{"itself", "true"}});
  CHECK(shares(all, 4)[2] == Approx(0.25).margin(0.01));
}

TEST_CASE("weights and hot spots get their shares") {
  terminals four(4);
  destination_pattern weighted = four.start(3, {{"destinations", "node[*], node[0]:7"}});
  CHECK(shares(weighted, 4)[0] == Approx(0.8).margin(0.01));  // 8 of 8 + 1 + 1
  destination_pattern hot =
      four.start(3, {{"pattern", "hotspot"}, {"hot", "node[0]:3, node[1]"}, {"hot_share", "0.4"}});
  const std::vector<double> of_hot = shares(hot, 4);
  CHECK(of_hot[0] == Approx(0.4 * 0.75 + 0.6 / 3).margin(0.01));
  CHECK(of_hot[1] == Approx(0.4 * 0.25 + 0.6 / 3).margin(0.01));
  CHECK(of_hot[2] == Approx(0.6 / 3).margin(0.01));
  CHECK(of_hot[3] == 0);
}

TEST_CASE("the worst case of groups sends all of a group into the next") {
  terminals twelve(12);
  destination_pattern pattern = twelve.start(5, {{"pattern", "next_group"}, {"group", "4"}});
  const std::vector<double> found = shares(pattern, 12);
  for (int i = 0; i < 12; ++i) CHECK(found[i] == Approx(i >= 8 ? 0.25 : 0).margin(0.01));
  destination_pattern last = twelve.start(11, {{"pattern", "next_group"}, {"group", "4"}});
  CHECK(shares(last, 12)[0] == Approx(0.25).margin(0.01));
}

TEST_CASE("in turn goes through the list, from the terminal's own place on") {
  terminals four(4);
  destination_pattern turns = four.start(1, {{"pattern", "in_turn"}});
  random_stream random(1, "test");
  for (const int expected : {2, 3, 0, 2, 3, 0}) CHECK(terminals::next(turns, random) == expected);
  destination_pattern listed =
      four.start(1, {{"pattern", "in_turn"}, {"destinations", "node[3], node[0]"}});
  for (const int expected : {3, 0, 3}) CHECK(terminals::next(listed, random) == expected);
}

TEST_CASE("what does not fit the terminals is refused") {
  terminals twelve(12);
  CHECK_THROWS_WITH(twelve.start(0, {{"pattern", "transpose"}}), Catch::Contains("no square"));
  CHECK_THROWS_WITH(twelve.start(0, {{"pattern", "hotspot"}}), Catch::Contains("needs `hot`"));
  CHECK_THROWS_WITH(twelve.start(0, {{"pattern", "next_group"}, {"group", "5"}}),
                    Catch::Contains("groups of 5"));
  CHECK_THROWS_WITH(twelve.start(0, {{"pattern", "ring"}, {"destinations", "node[1]"}}),
                    Catch::Contains("not among its destinations"));
  CHECK_THROWS_WITH(twelve.start(0, {{"destinations", "node[12]"}}),
                    Catch::Contains("a.yaml:7:3") && Catch::Contains("did you mean 'node[1]'"));
  terminals alone(1);
  CHECK(alone.to(0, {}) == -1);
}

TEST_CASE("what may be drawn is known before it is") {
  terminals six(6);
  const auto addressed = [&](const std::vector<std::pair<std::string, std::string>>& keys) {
    std::set<int> places;
    for (const endpoint_id each : six.start(1, keys).addressed())
      places.insert(each - first_endpoint);
    return places;
  };
  CHECK(addressed({}) == std::set<int>{0, 2, 3, 4, 5});
  CHECK(addressed({{"itself", "true"}}) == std::set<int>{0, 1, 2, 3, 4, 5});
  CHECK(addressed({{"pattern", "ring"}}) == std::set<int>{2});
  CHECK(addressed({{"pattern", "next_group"}, {"group", "2"}}) == std::set<int>{2, 3});
  CHECK(addressed({{"pattern", "hotspot"}, {"destinations", "node[0]"}, {"hot", "node[4]"}}) ==
        std::set<int>{0, 4});
  CHECK(addressed({{"pattern", "all2one"}, {"hot", "node[1]"}}).empty());
}

TEST_CASE("a hot spot is a destination where the terminal itself is the only other one") {
  terminals four(4);
  CHECK(four.to(2, {{"pattern", "hotspot"}, {"destinations", "node[2]"}, {"hot", "node[1]"}}) == 1);
  CHECK(four.to(2, {{"pattern", "hotspot"}, {"destinations", "node[1]"}, {"hot", "node[2]"}}) == 1);
  CHECK(four.to(2, {{"pattern", "hotspot"}, {"destinations", "node[2]"}, {"hot", "node[2]"}}) ==
        -1);
}

// Of one dimension here; the reference's torus has two (tests/fidelity).
TEST_CASE("neighbors are one step up and tornado goes just below half way, around the end") {
  terminals ring(8);
  CHECK(ring.to(0, {{"pattern", "neighbor"}, {"sides", "8"}}) == 1);
  CHECK(ring.to(7, {{"pattern", "neighbor"}, {"sides", "8"}}) == 0);
  CHECK(ring.to(6, {{"pattern", "tornado"}, {"sides", "8"}}) == 1);
}
