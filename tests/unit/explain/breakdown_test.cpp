#include "platform/explain/breakdown.hpp"

#include <catch2/catch.hpp>

using namespace heddle;

namespace {

struct two_sites : explanation {
  site_id core = add_site("core"), wire = add_site("a -> b");
};

}  // namespace

TEST_CASE("every instant between the marks belongs to one category") {
  two_sites sites;
  cause why = cause::start(sites.core, 1000);
  why.then(category::firmware, sites.core, 1010);
  why.then(category::propagation, sites.wire, 1260);
  why.then(category::firmware, sites.core, 1265);
  const breakdown path = break_down(sites, why, 990, 1265);
  CHECK(path.of(category::synchronization) == 10);  // it started 10 after the first
  CHECK(path.of(category::firmware) == 15);
  CHECK(path.of(category::propagation) == 250);
  CHECK(path.total() == 275);
}

TEST_CASE("what reaches beyond the marks is left out, and the end is attributed") {
  two_sites sites;
  cause why = cause::start(sites.core, 10);
  why.then(category::propagation, sites.wire, 100);
  why.then(category::memory, sites.core, 150);
  const breakdown path = break_down(sites, why, 40, 170);
  CHECK(path.of(category::propagation) == 60);
  CHECK(path.of(category::memory) == 70);
  CHECK(path.total() == 130);
  CHECK(break_down(sites, why, 40, 120).total() == 80);
}

TEST_CASE("the path comes in order, and as shares of categories at sites") {
  two_sites sites;
  cause why = cause::start(sites.core, 0);
  for (int i = 0; i < 3; ++i) {
    why.then(category::firmware, sites.core, why.when() + 5);
    why.then(category::memory, sites.wire, why.when() + 20);
  }
  const breakdown path = break_down(sites, why, 0, why.when());
  REQUIRE(path.steps.size() == 6);
  CHECK(path.steps[1].what == category::memory);
  CHECK(path.steps[1].begin == 5);
  CHECK(path.steps[1].length == 20);
  REQUIRE(path.shares.size() == 2);
  CHECK(path.shares[0].where == "a -> b");
  CHECK(path.shares[0].length == 60);
  CHECK(path.shares[0].steps == 3);
  CHECK(path.shares[1].what == category::firmware);
}

TEST_CASE("a long path is told in few steps without gaps") {
  two_sites sites;
  cause why = cause::start(sites.core, 0);
  for (int i = 0; i < 7777; ++i)
    why.then(i % 2 == 0 ? category::firmware : category::memory, sites.core,
             why.when() + 1 + i % 3);
  const breakdown path = break_down(sites, why, 0, why.when());
  CHECK(path.steps.size() <= breakdown::most_steps);
  fs_t end = 0;
  for (const path_span& each : path.steps) {
    CHECK(each.begin == end);
    end = each.begin + each.length;
  }
  CHECK(end == why.when());
}

TEST_CASE("the longest steps come with their place and their instant") {
  two_sites sites;
  cause why = cause::start(sites.core, 0);
  for (fs_t i = 1; i <= 8; ++i) {
    why.then(category::firmware, sites.core, why.when() + 1);
    why.then(category::serialization, sites.wire, why.when() + 10 * i);
  }
  const breakdown path = break_down(sites, why, 0, why.when());
  REQUIRE(path.longest.size() == 5);
  CHECK(path.longest[0].length == 80);
  CHECK(path.longest[0].begin == 8 + 280);
  CHECK(path.longest[0].where == "a -> b");
  CHECK(path.longest[0].what == category::serialization);
  CHECK(path.longest[4].length == 40);
}
