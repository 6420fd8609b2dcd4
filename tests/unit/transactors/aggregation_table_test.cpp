#include "transactors/aggregation/aggregation_table.hpp"

#include <catch2/catch.hpp>
#include <random>
#include <vector>

#include "platform/time/agenda.hpp"
#include "tests/support/test_bench.hpp"

using namespace heddle;

namespace {

struct sum_so_far {
  int sum = 0;
};
using table = aggregation_table<sum_so_far>;

aggregation_limits children(std::initializer_list<int> numbers, int ports = 64) {
  aggregation_limits limits{port_set(ports)};
  for (const int each : numbers) limits.children.insert(each);
  return limits;
}

template <class Table>
int open_entries(const Table& of) {
  int count = 0;
  of.for_each_open([&](const auto&) { ++count; });
  return count;
}

}  // namespace

TEST_CASE("an entry is complete when each child has contributed once") {
  table t;
  const int group = t.add_group(children({1, 3, 900}, 1024));
  table::entry& e = t.open(group);
  CHECK(e.owed == 3);
  CHECK(t.contribute(e, 3) == contribution::counted);
  CHECK(t.contribute(e, 3) == contribution::twice);
  CHECK(t.contribute(e, 2) == contribution::not_a_child);
  CHECK(t.contribute(e, 900) == contribution::counted);
  CHECK_FALSE(table::is_complete(e));
  CHECK(e.missing.next(0) == 1);
  CHECK(t.contribute(e, 1) == contribution::counted);
  CHECK(table::is_complete(e));
}

TEST_CASE("contributions may be counted instead of named") {
  table t;
  const int group = t.add_group(children({}));
  table::entry& e = t.open(group);
  t.owe(e, 5);
  t.cover(e, 2);
  t.cover(e, 2);
  CHECK_FALSE(table::is_complete(e));
  t.cover(e, 1);
  CHECK(table::is_complete(e));
}

TEST_CASE("a closed entry is used again, clean, under the same number") {
  table t;
  const int group = t.add_group(children({0, 1}));
  table::entry& first = t.open(group);
  const std::uint32_t number = first.pool_index;
  first.sum = 7;
  first.operands[1] = payload_slice::allocate(64);
  t.contribute(first, 0);
  t.close(first);
  CHECK(open_entries(t) == 0);
  table::entry& again = t.open(group);
  CHECK(again.pool_index == number);
  CHECK(&t.at(number) == &again);
  CHECK(again.sum == 0);
  CHECK(again.owed == 2);
  CHECK_FALSE(again.operands[1]);
}

TEST_CASE("groups do not share entries, children or buffers") {
  table t;
  aggregation_limits small = children({0});
  small.capacity = 10;
  const int a = t.add_group(std::move(small));
  const int b = t.add_group(children({0, 1, 2}));
  CHECK(t.fits(a, 10));
  CHECK_FALSE(t.fits(a, 11));
  table::entry& e = t.open(a, 8);
  CHECK(t.used(a) == 8);
  CHECK_FALSE(t.fits(a, 3));
  CHECK(t.fits(b, 1 << 20));
  CHECK(t.open(b).owed == 3);
  t.close(e);
  CHECK(t.used(a) == 8);  // the result is still there
  t.free_buffer(a, 8);
  CHECK(t.fits(a, 10));
}

TEST_CASE("a window moves over finished segments in order") {
  table t;
  aggregation_limits limits = children({0});
  limits.window = 4;
  const int group = t.add_group(std::move(limits));
  CHECK_FALSE(t.is_in_window(group, 4));
  for (const std::uint64_t segment : {2, 0, 1}) t.open_segment(group, segment);
  CHECK(t.find_segment(group, 3) == nullptr);
  CHECK(t.find_segment(group, 1)->segment == 1);
  t.close(*t.find_segment(group, 1));
  CHECK(t.is_finished(group, 1));
  CHECK_FALSE(t.is_finished(group, 0));
  CHECK(t.first_unfinished(group) == 0);
  t.close(*t.find_segment(group, 0));
  CHECK(t.first_unfinished(group) == 2);
  CHECK(t.is_in_window(group, 5));
  CHECK_FALSE(t.is_in_window(group, 6));
  CHECK_FALSE(t.is_in_window(group, 1));
  CHECK(t.is_finished(group, 1));
}

TEST_CASE("segments in any order are finished like in a plain list") {
  table t;
  constexpr std::uint32_t window = 7;
  aggregation_limits limits = children({0, 1, 2});
  limits.window = window;
  const int group = t.add_group(std::move(limits));
  std::mt19937 random(1);
  std::vector<int> state(300);  // contributions; 4: finished
  std::uint64_t first = 0;
  while (first < 250) {
    const std::uint64_t segment = first + random() % (window + 2);
    REQUIRE(t.is_in_window(group, segment) == (segment < first + window));
    REQUIRE(t.is_finished(group, segment) == (state[segment] == 4));
    if (!t.is_in_window(group, segment) || state[segment] == 4) continue;
    table::entry* e = t.find_segment(group, segment);
    REQUIRE((e != nullptr) == (state[segment] > 0));
    if (!e) e = &t.open_segment(group, segment);
    REQUIRE(t.contribute(*e, state[segment]) == contribution::counted);
    if (++state[segment] < 3) continue;
    REQUIRE(table::is_complete(*e));
    t.close(*e);
    state[segment] = 4;
    while (state[first] == 4) ++first;
    REQUIRE(t.first_unfinished(group) == first);
  }
}

TEST_CASE("the entry that has held buffer for longest is evicted first, and stays open") {
  table t;
  aggregation_limits limits = children({0, 1});
  limits.capacity = 3;
  const int group = t.add_group(std::move(limits));
  table::entry& a = t.open(group, 1);
  table::entry& b = t.open(group, 1);
  table::entry& c = t.open(group, 1);
  a.operands[0] = payload_slice::allocate(64);
  t.contribute(a, 0);
  t.contribute(b, 1);
  CHECK_FALSE(t.fits(group, 1));
  CHECK(t.oldest_in_buffer(group) == &a);
  t.evict(a);
  CHECK(t.fits(group, 1));
  CHECK_FALSE(a.operands[0]);
  CHECK(a.owed == 1);
  CHECK(t.oldest_in_buffer(group) == &b);
  t.contribute(b, 0);
  t.close(b);
  t.free_buffer(group, 1);
  CHECK(t.oldest_in_buffer(group) == &c);
  t.contribute(a, 1);
  CHECK(table::is_complete(a));
  t.close(a);
  CHECK(t.used(group) == 1);
  t.evict(c);
  CHECK(t.oldest_in_buffer(group) == nullptr);
  CHECK(t.used(group) == 0);
}

TEST_CASE("the watchdog reports each entry once, to the femtosecond, and only what is open") {
  struct recorder final : table::watcher {
    void expired(table::entry& late) override {
      reports.emplace_back(now_fs(), late.pool_index);
      missing.push_back(late.missing.next(0));
    }
    std::vector<std::pair<fs_t, std::uint32_t>> reports;
    std::vector<int> missing;
  };
  test_bench bench;
  agenda::instance();  // the kernel takes no modules later
  recorder seen;
  table t(&seen);
  aggregation_limits limits = children({4, 9});
  limits.patience = 100;
  const int group = t.add_group(std::move(limits));
  const int patient = t.add_group(children({0}));
  std::vector<table::entry*> entries;
  bench.at(0, [&] {
    entries.push_back(&t.open(group));
    t.open(patient);
  });
  bench.at(30, [&] { entries.push_back(&t.open(group)); });
  bench.at(60, [&] {
    entries.push_back(&t.open(group));
    t.contribute(*entries[2], 4);
    t.contribute(*entries[1], 4);
    t.contribute(*entries[1], 9);
    t.close(*entries[1]);
  });
  bench.run();
  CHECK(seen.reports == std::vector<std::pair<fs_t, std::uint32_t>>{{100, entries[0]->pool_index},
                                                                    {160, entries[2]->pool_index}});
  CHECK(seen.missing == std::vector<int>{4, 9});
  CHECK(open_entries(t) == 3);
}
