// What `monitor` of gdb shows.
#include "platform/debug/monitor_commands.hpp"

#include <catch2/catch.hpp>

#include "platform/unit/simulation.hpp"
#include "platform/unit/statistic.hpp"
#include "platform/unit/unit.hpp"

using namespace heddle;

namespace {

class counting final : public unit {
 public:
  explicit counting(const unit_context& context) : unit(context) {}
  const statistic_set* statistics() const override { return &all_; }

 private:
  statistic_set all_;

 public:
  statistic events{all_, "events", quantity::count, "of a long run"};
  statistic moved{all_, "moved", quantity::bytes, "a little more than a GiB"};
  statistic busy{all_, "busy", quantity::busy, "part of the time"};
};

}  // namespace

TEST_CASE("counts and bytes are shown to the last digit") {
  simulation sim{simulation_settings()};
  counting one(unit_context("one", sim));
  one.events += 12345678;
  one.moved += (std::uint64_t{1} << 30) + 1;
  one.busy += 1500 * fs_per_ns;
  CHECK(run_monitor_command(sim, "stats one") ==
        "one.events = 12345678\none.moved = 1073741825 B\none.busy = 1.5e-06 s\n");
  CHECK(run_monitor_command(sim, "stats two") == "no unit 'two' has statistics\n");
}
