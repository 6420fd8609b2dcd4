#include <catch2/catch.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/fidelity/forked_runs.hpp"
#include "tests/unit/models/mesh/mesh_bench.hpp"

using namespace heddle;

namespace {

using bench = mesh_bench<collective_router>;

double lane_value(int x, int y, int beat, int lane) {
  return 0.1 * x + 1e8 * y + beat + lane / 7.0;  // sums depend on the order
}

void send_beats(bench& b, int x, int y, mesh_position to, mesh_position mask, int beats,
                cycle_t start = 0) {
  flit address = make_flit(at(x, y), to, flit_op::select_aw, mask);
  address.set_ends(true, false);
  b.node(x, y).send(address, start);
  for (int beat = 0; beat < beats; ++beat) {
    flit sent = make_flit(at(x, y), to, flit_op::add_f64, mask);
    sent.set_ends(false, beat == beats - 1);
    sent.payload = b.payloads().take();
    for (int lane = 0; lane < 8; ++lane)
      b.payloads().at(sent.payload).lanes[static_cast<std::size_t>(lane)] =
          lane_value(x, y, beat, lane);
    b.node(x, y).send(sent);
  }
}

const std::vector<received_flit>& result(bench& b, int beats) {
  const auto& got = b.node(0, 0).received;
  REQUIRE(got.size() == static_cast<std::size_t>(beats) + 1);
  CHECK(got.front().carried.op == flit_op::select_aw);
  for (std::size_t i = 1; i < got.size(); ++i) CHECK(got[i].carried.op == flit_op::add_f64);
  return got;
}

cycle_t cycles_of_20_beats(std::uint64_t header_buffer) {
  bench b(2, 1, {}, [=](collective_router_parameters& p) { p.header_buffer.set(header_buffer); });
  for (int x = 0; x < 2; ++x) send_beats(b, x, 0, at(0, 0), at(1, 0), 40);
  b.run();
  const auto& got = result(b, 40);
  return got[40].cycle - got[20].cycle;
}

using shown_pair = std::pair<std::string, std::string>;  // state and operation

// What a router's wave shows together at any time.
class router_wave final : public trace_sink {
 public:
  explicit router_wave(bench& b) : bench_(b) { b.sim.trace().add_sink(*this); }

  std::set<shown_pair> of(const unit& router) {
    bench_.sim.trace().finish(now_fs());
    const std::size_t state = signal(router, "state"), operation = signal(router, "operation");
    std::set<shown_pair> shown;
    std::vector<trace_value> values = first_;
    for (std::size_t i = 0; i < changes_.size(); ++i) {
      values[changes_[i].signal].bits = changes_[i].bits;
      if (i + 1 < changes_.size() && changes_[i + 1].when == changes_[i].when) continue;
      shown.emplace(catalog_->signals[state].states.names()[values[state].bits],
                    catalog_->texts[values[operation].bits]);
    }
    return shown;
  }

  void begin(const trace_catalog& catalog) override { catalog_ = &catalog; }
  void open_window(fs_t, const std::vector<trace_value>& values) override { first_ = values; }
  void changes(const std::vector<trace_change>& batch) override {
    changes_.insert(changes_.end(), batch.begin(), batch.end());
  }
  void close_window(fs_t) override {}
  void finish() override {}

 private:
  std::size_t signal(const unit& of, const std::string& leaf) const {
    std::size_t i = 0;
    while (catalog_->signals.at(i).path != of.path() || catalog_->signals[i].leaf != leaf) ++i;
    return i;
  }

  bench& bench_;
  const trace_catalog* catalog_ = nullptr;
  std::vector<trace_value> first_;  // by signal
  std::vector<trace_change> changes_;
};

}  // namespace

TEST_CASE("a row reduces a beat a cycle, in the order of the ports") {
  constexpr int beats = 32;
  bench b(4, 1, {});
  for (int x = 0; x < 4; ++x) send_beats(b, x, 0, at(0, 0), at(3, 0), beats);
  b.run();
  const auto& got = result(b, beats);
  for (int beat = 0; beat < beats; ++beat)
    for (int lane = 0; lane < 8; ++lane) {
      double sum = lane_value(3, 0, beat, lane);  // routers add the east before the local input
      for (int x = 2; x >= 0; --x) sum = sum + lane_value(x, 0, beat, lane);
      const auto& flit = got[static_cast<std::size_t>(beat) + 1].carried;
      CHECK(b.payloads().at(flit.payload).lanes[static_cast<std::size_t>(lane)] == sum);
    }
  // A write address takes its 2 cycles a hop; a beat 1 + 3 more at each of the 3 routers that add.
  CHECK(got[0].cycle == 1 + 2 * 4);
  CHECK(got[1].cycle == 1 + 1 + 2 * 4 + 3 * 4);
  CHECK(got.back().cycle - got[1].cycle == beats - 1);
  CHECK(b.router(0, 0).count().wide_operations.raw() == beats);
  CHECK(b.router(3, 0).count().wide_operations.raw() == 0);
  CHECK(b.payloads().in_use() == beats);
}

TEST_CASE("three inputs take two cycles a beat") {
  constexpr int beats = 64;
  bench b(2, 2, {});
  for (int i = 0; i < 4; ++i) send_beats(b, i % 2, i / 2, at(0, 0), at(1, 1), beats);
  b.run();
  const auto& got = result(b, beats);
  CHECK(b.router(0, 0).count().wide_operations.raw() == 2 * beats);
  const cycle_t first_half = got[beats / 2].cycle, last = got.back().cycle;
  CHECK(last - first_half == 2 * (beats / 2));
}

TEST_CASE("a header buffer below the latency of the unit stalls the pipeline") {
  // A header stays for 1 + 3 cycles, and its place is free again in the next.
  const std::vector<std::uint64_t> depths = {1, 2, 4, 5};
  CHECK(forked_runs(depths, cycles_of_20_beats) == std::vector<cycle_t>{100, 50, 25, 20});
}

TEST_CASE("a late member holds a reduction up, not its data") {
  bench b(2, 1, {});
  send_beats(b, 0, 0, at(0, 0), at(1, 0), 8);
  send_beats(b, 1, 0, at(0, 0), at(1, 0), 8, 200);
  b.run();
  CHECK(result(b, 8)[1].cycle == 200 + 1 + 1 + 2 * 2 + 4);
  CHECK(b.router(0, 0).count().peak_waiting.raw() == 9);
}

TEST_CASE("a wave names the operation for as long as its router reduces") {
  bench b(2, 2, {});
  router_wave wave(b);
  for (int i = 0; i < 4; ++i) send_beats(b, i % 2, i / 2, at(0, 0), at(1, 1), 8);
  b.run();
  result(b, 8);
  const std::set<shown_pair> shown = wave.of(b.router(0, 0));
  CHECK(shown.count({"REDUCE", "FP64 add"}) == 1);
  CHECK(shown.count({"IDLE", ""}) == 1);
  for (const auto& [state, operation] : shown) {
    INFO(state << " " << operation);
    CHECK((state == "IDLE") == operation.empty());
  }
}
