// A member or a switch may refuse what an aggregator has written long after the stream has ended,
// as the last write of a stream is answered a round trip after it was made.
#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "tests/unit/models/aggregator/aggregator_bench.hpp"

using namespace heddle;
using error = aggregator_regs::group_status_error;

namespace {

constexpr std::uint32_t idle = 0, armed = 1, stopped = 3;  // states

// Group 0 of the root copies to a group of the switch below that nobody has set up. A packet takes
// 10 ns to the root and is copied 100 ns later; the refusal comes back 120 ns after that.
struct refused_copy : aggregator_bench {
  static constexpr fs_t pushed_at = 20 * fs_per_us;
  // The copy has left, and with it the stream has ended; its refusal has not come.
  static constexpr fs_t between = pushed_at + 170 * fs_per_ns;
  static constexpr fs_t afterwards = 40 * fs_per_us;
  static constexpr int unknown_group = 5;

  refused_copy() : aggregator_bench(two_tiers()) {
    at(0, [this] {
      tree_stream stream;
      stream.mode = aggregator_regs::group_operation_mode::COPY;
      add_child(0, 0, base_of(0), 0, true);
      add_child(0, 0, window_of(1, unknown_group), 1, false);
      arm_switch(0, 0, stream);
    });
    at(pushed_at, [this] { push_packet(); });
  }

  void push_packet() {
    const std::vector<float> data(32, 1.0F);
    core(0).write(window_for(0), data.data(), 128);
  }
  void arm_again() { write32(0, aggregator_regs::group_arm_offset(0), 1); }
  void reset() { write32(0, aggregator_regs::group_control_offset(0), 1); }
  std::uint64_t reports() { return sim.service<register_audit_log>().count(); }
  std::string last_report() { return sim.service<register_audit_log>().last().reason; }
  static std::string refusal() {
    return fmt::format("group 0: nobody took what was written to {:#x}",
                       window_of(1, unknown_group));
  }

 private:
  static aggregator_bench_options two_tiers() {
    aggregator_bench_options o;
    o.parent_of = {-1, 0};
    o.leaf_of = {0, 1};
    return o;
  }
};

}  // namespace

TEST_CASE("a refusal stops its group, also when the stream has just ended") {
  refused_copy bench;
  std::uint32_t before = stopped, after = idle, reason = 0;
  bench.at(refused_copy::between, [&] { before = bench.state(0); });
  bench.at(refused_copy::afterwards, [&] {
    after = bench.state(0);
    reason = bench.error(0);
  });
  bench.run();
  CHECK(before == idle);
  CHECK(after == stopped);
  CHECK(reason == static_cast<std::uint32_t>(error::BUS));
  CHECK(bench.last_report() == refused_copy::refusal());
}

TEST_CASE("a refusal of what an earlier stream wrote is reported, and the present one goes on") {
  refused_copy bench;
  std::uint32_t state = stopped, reason = 1, later = idle;
  std::string told;
  bench.at(refused_copy::between, [&] { bench.arm_again(); });
  bench.at(refused_copy::afterwards, [&] {
    state = bench.state(0);
    reason = bench.error(0);
    told = bench.last_report();
    bench.push_packet();  // the present stream has a refusal of its own
    sc_core::wait(to_sc_time(10 * fs_per_us));
    later = bench.state(0);
  });
  bench.run();
  CHECK(state == armed);
  CHECK(reason == static_cast<std::uint32_t>(error::NONE));
  CHECK(told == refused_copy::refusal() + " by an earlier stream");
  CHECK(later == stopped);
  CHECK(bench.last_report() == refused_copy::refusal());
}

TEST_CASE("nothing is told of a stream that was given up by a reset, and the next one goes on") {
  refused_copy bench;
  std::uint32_t state = stopped;
  std::uint64_t reports = 0;
  bench.at(refused_copy::between, [&] {
    bench.reset();
    bench.arm_again();
    reports = bench.reports();
  });
  bench.at(refused_copy::afterwards, [&] { state = bench.state(0); });
  bench.run();
  CHECK(state == armed);
  CHECK(bench.reports() == reports);
}
