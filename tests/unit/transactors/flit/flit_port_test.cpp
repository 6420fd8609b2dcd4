#include <catch2/catch.hpp>
#include <deque>
#include <vector>

#include "tests/support/flit_endpoint.hpp"
#include "tests/support/test_bench.hpp"
#include "transactors/flit/flit_payloads.hpp"

using namespace heddle;

namespace {

flit tagged(std::uint32_t tag) {
  flit made;
  made.tag = tag;
  return made;
}

std::vector<cycle_t> arrivals(const flit_endpoint& node) {
  std::vector<cycle_t> cycles;
  for (const received_flit& each : node.received) cycles.push_back(each.cycle);
  return cycles;
}

struct pair_bench : test_bench {
  pair_bench(std::uint64_t latency, std::uint64_t vcs, std::uint64_t buffer) {
    flit_link_parameters link;
    link.latency.set(latency);
    link.vcs.set(vcs);
    link.buffer.set(buffer);
    port().connect(*b.find_port("port"), &link);
  }
  flit_port& port() { return dynamic_cast<flit_port&>(*a.find_port("port")); }
  flit_endpoint& a = add_stimulus<flit_endpoint>("a", mesh_position{0, 0});
  flit_endpoint& b = add_stimulus<flit_endpoint>("b", mesh_position{1, 0});
};

}  // namespace

TEST_CASE("a flit is as small as two words, and keeps its fields apart") {
  flit f;
  f.op = last_flit_op;
  f.set_data(16, 64);
  f.set_ends(false, true);
  CHECK(f.op == last_flit_op);
  CHECK(f.absent == 6);
  CHECK_FALSE(f.is_head());
  CHECK(f.is_tail());
  f.set_ends(true, false);
  CHECK(f.op == last_flit_op);
  CHECK(f.absent == 6);
  CHECK(f.is_head());
  CHECK_FALSE(f.is_tail());
}

TEST_CASE("a flit arrives after the latency of the link, one a cycle") {
  pair_bench bench(7, 1, 16);
  for (std::uint32_t i = 0; i < 5; ++i) bench.a.send(tagged(i), 4);
  bench.b.send(tagged(9), 4);
  bench.run();
  CHECK(arrivals(bench.b) == std::vector<cycle_t>{11, 12, 13, 14, 15});
  CHECK(arrivals(bench.a) == std::vector<cycle_t>{11});
  for (std::uint32_t i = 0; i < 5; ++i) CHECK(bench.b.received[i].carried.tag == i);
  CHECK(bench.port().figures().packets == 5);
  CHECK(bench.port().figures().bytes == 5 * 64);
  CHECK(bench.port().figures().busy == 5 * fs_per_ns);
}

TEST_CASE("a sender waits for credits and is woken by them") {
  pair_bench bench(3, 1, 2);
  for (std::uint32_t i = 0; i < 6; ++i) bench.a.send(tagged(i));
  bench.run();
  // Two at once, then as their credits come back, 3 + 3 cycles later.
  CHECK(arrivals(bench.b) == std::vector<cycle_t>{3, 4, 9, 10, 15, 16});
  CHECK(bench.port().figures().credit_stalls == 2);
}

// Compared with a queue for each VC: a buffer takes as many flits as it is deep, gives them out in
// order, and has room again once the credits are back.
TEST_CASE("buffers of any depth and number of virtual channels are rings") {
  constexpr cycle_t latency = 2;
  for (const int vcs : {1, 3, 5, 12, 16}) {
    for (const int buffer : {1, 3, 4, 7}) {
      CAPTURE(vcs, buffer);
      pair_bench bench(latency, static_cast<std::uint64_t>(vcs),
                       static_cast<std::uint64_t>(buffer));
      flit_port& far = dynamic_cast<flit_port&>(*bench.b.find_port("port"));
      std::vector<std::deque<std::uint32_t>> held(static_cast<std::size_t>(vcs));
      std::uint32_t sent = 0;
      int errors = 0;
      cycle_t now = 0;
      for (int step = 0; step < 400; ++step, now += 2 * latency) {
        const int vc = step * 7 % vcs;
        std::deque<std::uint32_t>& queue = held[static_cast<std::size_t>(vc)];
        for (; bench.port().has_credit(vc, now); ++now) {
          bench.port().send(tagged(sent), vc, now);
          queue.push_back(sent++);
        }
        errors += queue.size() != static_cast<std::size_t>(buffer);
        for (int taken = 0; taken < step % (buffer + 1); ++taken, ++now) {
          errors += far.take(vc, now).tag != queue.front();
          queue.pop_front();
        }
      }
      CHECK(errors == 0);
    }
  }
}

TEST_CASE("virtual channels have credits of their own") {
  pair_bench bench(1, 2, 1);
  bench.b.takes_flits = false;
  bench.a.send(tagged(1), 0, 0);
  bench.a.send(tagged(2), 0, 1);
  bench.a.send(tagged(3), 0, 1);
  bench.run();
  CHECK(bench.a.unsent() == 1);
  CHECK(bench.port().figures().packets == 2);
}

TEST_CASE("a flit link stays in one clock domain, and joins flit ports only") {
  test_bench bench;
  auto& a = bench.add_stimulus<flit_endpoint>("a", mesh_position{});
  auto& b = bench.add_stimulus<flit_endpoint>("b", mesh_position{}, 2 * fs_per_ns);
  const flit_link_parameters link;
  CHECK_THROWS_WITH(a.find_port("port")->connect(*b.find_port("port"), &link),
                    "a.port has a clock of 1000000 fs, b.port one of 2000000 fs: a flit link joins "
                    "units of one clock domain");
}

TEST_CASE("payloads are shared and come back to the pool") {
  flit_payloads pool;
  const payload_handle first = pool.take();
  pool.at(first).words[0] = 5;
  pool.share(first, 2);
  pool.give_back(first);
  pool.give_back(first);
  CHECK(pool.in_use() == 1);
  CHECK(pool.at(first).words[0] == 5);
  pool.give_back(first);
  CHECK(pool.in_use() == 0);
  CHECK(pool.take() == first);
  pool.give_back(0);  // a flit without data
  CHECK(pool.in_use() == 1);
}

namespace {

// A transmitter of one VC without credits, whose owner has channels that wait.
struct starved_transmitter : test_bench {
  struct idle {
    void evaluate(cycle_t) {}
  };

  starved_transmitter() {
    sim.service<clock_domains>().with_period(fs_per_ns).join(owner, member);
    wheel.belong_to(member, 0);
    returns.wheels = &wheel;
    out.returns = &returns;
    out.cell_stride = 1;
    out.latency = 2;
    out.last_returning = 1;
    out.by_vc[0].spare_credits = static_cast<std::int16_t>(-out.most_under_way());
  }

  idle owner;
  clock_member member;
  arrival_wheel wheel;
  credit_returns returns;
  flit_transmitter out;
};

}  // namespace

TEST_CASE("a channel that waits for a credit is told once, for the cycle of its return") {
  starved_transmitter bench;
  CHECK_FALSE(bench.out.has_credit(0, 5));
  bench.out.await_credit(0, 17, 5);
  bench.out.take_credit(0, 9);
  bench.out.take_credit(0, 10);
  CHECK_FALSE(bench.out.has_credit(0, 8));
  CHECK(bench.out.has_credit(0, 9));
  CHECK(bench.wheel.take(9) == std::uint64_t{1} << 17);
  CHECK(bench.wheel.take(10) == 0);
}

TEST_CASE("a channel that waits is told of a credit that is under way already") {
  starved_transmitter bench;
  bench.out.take_credit(0, 10);
  CHECK_FALSE(bench.out.has_credit(0, 9));
  bench.out.await_credit(0, 3, 9);
  bench.out.take_credit(0, 11);
  CHECK(bench.wheel.take(10) == std::uint64_t{1} << 3);
  CHECK(bench.wheel.take(11) == 0);
}

TEST_CASE("a buffer that is empty starts anew at its first cell") {
  starved_transmitter bench;
  bench.out.by_vc[0].cell = 5;
  CHECK(bench.out.restart_if_empty(0, 4) == 4);  // a flit is on its way to cell 4
  CHECK(bench.out.by_vc[0].cell == 5);
  CHECK(bench.out.restart_if_empty(0, 5) == 0);
  CHECK(bench.out.by_vc[0].cell == 0);
  bench.out.by_vc[3].cell = 11;  // of four channels side by side
  CHECK(bench.out.restart_if_empty(3, 11) == 3);
  CHECK(bench.out.by_vc[3].cell == 3);
}
