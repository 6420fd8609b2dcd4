// When breakpoints and watchpoints reach the cores.
#include <catch2/catch.hpp>

#include "platform/debug/debug_points.hpp"
#include "tests/unit/debug/fake_target.hpp"

using namespace heddle;
using addresses = std::vector<std::uint64_t>;

TEST_CASE("a breakpoint that is removed stays while one core steps over it") {
  fake_target a("a"), b("b");
  const std::vector<debug_target*> both = {&a, &b};
  debug_points points(both);
  points.insert_breakpoint(0x10);
  points.insert_breakpoint(0x20);
  points.apply(true);
  CHECK(a.breakpoints == addresses{0x10, 0x20});
  CHECK(b.breakpoints == addresses{0x10, 0x20});
  points.remove_breakpoint(0x10);
  points.apply(false);
  CHECK(b.breakpoints == addresses{0x10, 0x20});
  points.insert_breakpoint(0x10);
  points.apply(true);
  CHECK(b.breakpoints == addresses{0x10, 0x20});
  points.remove_breakpoint(0x10);
  points.apply(true);
  CHECK(b.breakpoints == addresses{0x20});
  points.remove_all();
  CHECK(a.breakpoints.empty());
}

TEST_CASE("watchpoints differ by what they watch") {
  fake_target a("a");
  const std::vector<debug_target*> all = {&a};
  debug_points points(all);
  const debug_watch loads{0x10, 4, true, false}, stores{0x10, 4, false, true};
  points.insert_watch(loads);
  points.insert_watch(stores);
  points.insert_watch(stores);
  points.apply(false);
  CHECK(a.watches.size() == 2);
  points.remove_watch(loads);
  points.apply(false);
  CHECK(a.watches.size() == 2);
  points.apply(true);
  REQUIRE(a.watches.size() == 1);
  CHECK(a.watches[0].stores);
}
