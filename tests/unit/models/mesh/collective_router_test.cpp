#include <array>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <string>
#include <vector>

#include "tests/fidelity/forked_runs.hpp"
#include "tests/unit/models/mesh/mesh_bench.hpp"

using namespace heddle;

namespace {

using bench = mesh_bench<collective_router>;

std::vector<cycle_t> arrivals(const flit_endpoint& node) {
  std::vector<cycle_t> cycles;
  for (const received_flit& each : node.received) cycles.push_back(each.cycle);
  return cycles;
}

payload_handle word(bench& b, std::uint64_t value) {
  const payload_handle made = b.payloads().take();
  b.payloads().at(made).words = {value, 7, 7, 7, 7, 7, 7, 7};
  return made;
}

std::uint64_t word_of(bench& b, const received_flit& got) {
  return b.payloads().at(got.carried.payload).words[0];
}

std::string order_of_two_packets(flit_op op) {
  bench b(4, 1, {});
  for (int i = 0; i < 4; ++i) {
    flit sent = make_flit(at(0, 0), at(2, 0), op);
    sent.tag = 1;
    sent.set_ends(i == 0, i == 3);
    b.node(0, 0).send(sent);
    sent.source = at(1, 0);
    sent.tag = 2;
    b.node(1, 0).send(sent, static_cast<cycle_t>(i) + 3);
  }
  b.run();
  std::string order;
  for (const received_flit& each : b.node(2, 0).received)
    order += static_cast<char>('0' + each.carried.tag);
  return order;
}

std::uint64_t lsb_and_of_all(bench& b, mesh_position odd_one) {
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 4; ++x) {
      flit sent = make_flit(at(x, y), at(1, 2), flit_op::lsb_and, at(3, 3));
      sent.payload = word(b, at(x, y) == odd_one ? 0 : 1);
      b.node(x, y).send(sent);
    }
  b.run();
  REQUIRE(b.node(1, 2).received.size() == 1);
  CHECK(b.payloads().in_use() == 1);
  return word_of(b, b.node(1, 2).received[0]);
}

std::uint64_t reduced(bench& b, flit_op op, const std::array<std::uint64_t, 4>& values) {
  for (int i = 0; i < 4; ++i) {
    flit sent = make_flit(at(i % 2, i / 2), at(0, 0), op, at(1, 1));
    sent.payload = word(b, values[static_cast<std::size_t>(i)]);
    b.node(i % 2, i / 2).send(sent);
  }
  b.run();
  REQUIRE(b.node(0, 0).received.size() == 1);
  CHECK(b.payloads().in_use() == 1);
  return word_of(b, b.node(0, 0).received[0]);
}

// What a unit's `state` is in the end.
class last_state final : public trace_sink {
 public:
  explicit last_state(bench& b) : bench_(b) { b.sim.trace().add_sink(*this); }
  std::string of(const unit& traced) {
    bench_.sim.trace().finish(now_fs());
    for (std::size_t i = 0; i < catalog_->signals.size(); ++i)
      if (catalog_->signals[i].path == traced.path() && catalog_->signals[i].leaf == "state")
        return catalog_->signals[i].states.names()[values_[i]];
    return {};
  }

  void begin(const trace_catalog& catalog) override {
    catalog_ = &catalog;
    values_.resize(catalog.signals.size());
  }
  void open_window(fs_t, const std::vector<trace_value>& values) override {
    for (std::size_t i = 0; i < values.size(); ++i) values_[i] = values[i].bits;
  }
  void changes(const std::vector<trace_change>& batch) override {
    for (const trace_change& each : batch) values_[each.signal] = each.bits;
  }
  void close_window(fs_t) override {}
  void finish() override {}

 private:
  bench& bench_;
  const trace_catalog* catalog_ = nullptr;
  std::vector<std::uint64_t> values_;  // by signal
};

struct traffic_result {
  std::uint64_t flits = 0, hash = 0;
};

traffic_result random_traffic(bool is_reversed) {
  mesh_links links;
  links.buffer = 2;
  bench b(4, 4, links, {}, is_reversed);
  for (int i = 0; i < 256; ++i) {
    const int x = i % 4, y = i / 4 % 4, n = i / 16;
    const bool is_multicast = n % 5 == 0;
    flit sent = make_flit(at(x, y), at((x + n) % 4, (y + n / 4) % 4),
                          is_multicast ? flit_op::multicast : flit_op::unicast,
                          is_multicast ? at(1, 2) : at(0, 0));
    sent.tag = static_cast<std::uint32_t>(n);
    b.node(x, y).send(sent);
  }
  b.run();
  traffic_result result;
  for (int i = 0; i < 16; ++i)
    for (const received_flit& each : b.node(i % 4, i / 4).received) {
      ++result.flits;
      result.hash =
          result.hash * 1'000'003 + each.cycle * 64 + each.carried.tag * 4 + each.carried.source.x;
    }
  return result;
}

}  // namespace

TEST_CASE("a unicast flit takes 2 cycles a hop and one to the first router") {
  bench b(4, 4, {});
  b.node(0, 0).send(make_flit(at(0, 0), at(3, 2)), 10);
  b.run();
  // 1 cycle to the first router; each of the 6 routers takes 1, and its link 1.
  CHECK(arrivals(b.node(3, 2)) == std::vector<cycle_t>{10 + 1 + 6 * 2});
  CHECK(b.router(3, 0).count().flits.raw() == 1);
  CHECK(b.router(1, 1).count().flits.raw() == 0);
}

TEST_CASE("the defaults move a flit a cycle") {
  bench b(4, 1, {});
  for (int i = 0; i < 20; ++i) {
    flit sent = make_flit(at(0, 0), at(3, 0));
    sent.set_ends(i == 0, i == 19);
    b.node(0, 0).send(sent);
  }
  b.run();
  std::vector<cycle_t> expected;
  for (cycle_t i = 0; i < 20; ++i) expected.push_back(1 + 4 * 2 + i);
  CHECK(arrivals(b.node(3, 0)) == expected);
}

TEST_CASE("with room for one flit a flit leaves every 3 cycles") {
  mesh_links links;
  links.buffer = 1;
  bench b(2, 1, links);
  for (int i = 0; i < 5; ++i) b.node(0, 0).send(make_flit(at(0, 0), at(1, 0)));
  b.run();
  // The flit is 2 cycles under way to the next FIFO, its credit 1 cycle back.
  CHECK(arrivals(b.node(1, 0)) == std::vector<cycle_t>{5, 8, 11, 14, 17});
}

TEST_CASE("a wormhole holds its output until the tail") {
  CHECK(order_of_two_packets(flit_op::unicast) == "11112222");
}

TEST_CASE("flits of multicasts alternate") {
  CHECK(order_of_two_packets(flit_op::multicast) == "12121212");
}

TEST_CASE("a multicast forks and shares its payload") {
  bench b(4, 4, {});
  flit sent = make_flit(at(0, 1), at(0, 0), flit_op::multicast, at(3, 3));
  sent.payload = word(b, 42);
  b.node(0, 1).send(sent);
  b.run();
  std::uint64_t forks = 0;
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 4; ++x) {
      const auto& got = b.node(x, y).received;
      REQUIRE(got.size() == 1);
      const int hops = x + std::abs(y - 1);
      CHECK(got[0].cycle == 1 + 2 * (1 + static_cast<cycle_t>(hops)));
      CHECK(word_of(b, got[0]) == 42);
      forks += b.router(x, y).count().forks.raw();
      b.payloads().give_back(got[0].carried.payload);
    }
  CHECK(forks == 15);
  CHECK(b.payloads().in_use() == 0);
}

TEST_CASE("a blocked branch of a multicast does not hold the others of the same flit") {
  mesh_links links;
  links.buffer = 1;
  bench b(4, 1, links);
  b.node(1, 0).takes_flits = false;
  for (int i = 0; i < 6; ++i)
    b.node(0, 0).send(make_flit(at(0, 0), at(0, 0), flit_op::multicast, at(3, 0)));
  b.run();
  // One copy lies in the buffer of node 1, the second in router 1: the third cannot come in.
  CHECK(b.node(2, 0).received.size() == 2);
  CHECK(b.node(3, 0).received.size() == 2);
  CHECK(b.node(0, 0).received.size() == 3);
  CHECK(b.router(1, 0).waiting_for() == "node[1].port to take a multicast from the west");
  CHECK(b.router(2, 0).waiting_for().empty());
}

TEST_CASE("LsbAnd is 1 when all members say so") {
  bench b(4, 4, {});
  CHECK(lsb_and_of_all(b, {255, 255}) == 1);
  // The farthest members are 4 hops away; nothing delays the merged flits.
  CHECK(b.node(1, 2).received[0].cycle == 1 + 2 * (2 + 2 + 1));
}

TEST_CASE("LsbAnd is 0 when one member does not") {
  bench b(4, 4, {});
  CHECK(lsb_and_of_all(b, at(3, 0)) == 0);
}

TEST_CASE("CollectB takes the worst response") {
  bench b(2, 2, {});
  CHECK(reduced(b, flit_op::collect_b, {0, 0, 3, 0}) == 3);
}

TEST_CASE("SelectAW takes one of them") {
  bench b(2, 2, {});
  CHECK(reduced(b, flit_op::select_aw, {5, 5, 5, 5}) == 5);
}

TEST_CASE("flits behind a contribution do not wait for late members") {
  bench b(2, 1, {});
  b.node(0, 0).send(make_flit(at(0, 0), at(1, 0), flit_op::lsb_and, at(1, 0)));
  b.node(0, 0).send(make_flit(at(0, 0), at(1, 0)));
  b.node(1, 0).send(make_flit(at(1, 0), at(1, 0), flit_op::lsb_and, at(1, 0)), 100);
  b.run();
  REQUIRE(b.node(1, 0).received.size() == 2);
  CHECK(b.node(1, 0).received[0].carried.op == flit_op::unicast);
  CHECK(b.node(1, 0).received[1].cycle == 100 + 1 + 2);
}

TEST_CASE("a router whose head waits for the place of a late member waits for the member") {
  bench b(2, 1, {}, [](collective_router_parameters& p) { p.reductions.set(1); });
  last_state state(b);
  for (const unsigned tag : {1U, 2U}) {
    flit sent = make_flit(at(1, 0), at(0, 0), flit_op::lsb_and, at(1, 0));
    sent.tag = tag;
    b.node(1, 0).send(sent);
  }
  b.run();
  CHECK(b.router(0, 0).waiting_for() ==
        "member (0, 0) at local of a LsbAnd to (0, 0), room for a LsbAnd from the east");
  CHECK(state.of(b.router(0, 0)) == "WAIT_MEMBER");
}

TEST_CASE("a router whose output has no credit waits for one, whatever else waits") {
  bench b(2, 1, {});
  last_state state(b);
  b.node(0, 0).takes_flits = false;
  b.node(1, 0).send(make_flit(at(1, 0), at(0, 0), flit_op::lsb_and, at(1, 0)));
  for (int i = 0; i < 6; ++i) b.node(1, 0).send(make_flit(at(1, 0), at(0, 0)));
  b.run();
  CHECK(state.of(b.router(0, 0)) == "WAIT_CREDIT");
}

TEST_CASE("a head that stays is a stall in each cycle, whether it leaves or not") {
  mesh_links links;
  links.buffer = 1;
  bench b(2, 1, links);
  b.node(0, 0).send(make_flit(at(0, 0), at(0, 0)));
  for (int i = 0; i < 3; ++i) b.node(1, 0).send(make_flit(at(1, 0), at(1, 0)));
  b.node(1, 0).takes_flits = false;
  b.run_for(100 * fs_per_ns);
  CHECK(b.router(0, 0).count().stalls.raw() == 0);
  // The first leaves in cycle 1 and stays in the node's buffer, its credit is back in cycle 2, the
  // second comes in cycle 3.
  CHECK(b.router(1, 0).count().stalls.raw() == 100 - 3);
  CHECK(b.router(1, 0).count().stalls.raw() == 100 - 3);
}

TEST_CASE("results do not depend on the order of the units") {
  const auto runs = forked_runs(std::vector<bool>{false, true}, random_traffic);
  CHECK(runs[0].flits > 16 * 16);
  CHECK(runs[0].flits == runs[1].flits);
  CHECK(runs[0].hash == runs[1].hash);
}
