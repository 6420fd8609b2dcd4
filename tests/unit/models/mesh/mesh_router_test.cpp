#include <catch2/catch.hpp>
#include <cstdlib>

#include "tests/fidelity/forked_runs.hpp"
#include "tests/unit/models/mesh/mesh_bench.hpp"
#include "tests/unit/trace/recording_sink.hpp"

using namespace heddle;

namespace {

using bench = mesh_bench<mesh_router>;

void send_packet(bench& b, mesh_position from, mesh_position to, int flits, cycle_t start) {
  for (int i = 0; i < flits; ++i) {
    flit sent = make_flit(from, to);
    sent.tag = static_cast<std::uint32_t>(start);
    sent.set_ends(i == 0, i == flits - 1);
    b.node(from).send(sent, start);
  }
}

struct configuration {
  std::uint64_t latency, buffer, pipeline;
};

// From the first flit sent to the tail, over two routers.
cycle_t latency_of_9_flits(const configuration& c) {
  mesh_links links;
  links.latency = c.latency;
  links.buffer = c.buffer;
  bench b(2, 1, links, [&](mesh_router_parameters& p) { p.pipeline.set(c.pipeline); });
  send_packet(b, at(0, 0), at(1, 0), 9, 50);
  b.run();
  return b.node(1, 0).received.back().cycle - 50;
}

}  // namespace

TEST_CASE("zero-load latency is 5 cycles a router, 2 more, and a cycle for each further flit") {
  constexpr int flits = 3, apart = 100;
  mesh_links links;
  links.latency = 2;  // a channel of 1 cycle, as simulators count, and the cycle on the wire
  links.vcs = 2;
  bench b(4, 3, links);
  for (int from = 0; from < 12; ++from)
    for (int to = 0; to < 12; ++to)
      send_packet(b, at(from % 4, from / 4), at(to % 4, to / 4), flits,
                  static_cast<cycle_t>(from * 12 + to) * apart);
  b.run();
  for (int to = 0; to < 12; ++to) {
    const auto& got = b.node(to % 4, to / 4).received;
    REQUIRE(got.size() == 12 * flits);
    for (const received_flit& each : got) {
      if (!each.carried.is_tail()) continue;
      const int hops =
          std::abs(each.carried.source.x - to % 4) + std::abs(each.carried.source.y - to / 4);
      const cycle_t routers = 1 + static_cast<cycle_t>(hops);
      CHECK(each.cycle - each.carried.tag == 5 * routers + 2 + flits - 1);
    }
  }
}

TEST_CASE("latency follows from link, pipeline and buffer") {
  const std::vector<configuration> runs = {{1, 16, 4}, {4, 16, 4}, {1, 16, 7}, {2, 1, 4}};
  const auto measured = forked_runs(runs, latency_of_9_flits);
  CHECK(measured[0] == 3 * 1 + 2 * 3 + 8);
  CHECK(measured[1] == 3 * 4 + 2 * 3 + 8);
  CHECK(measured[2] == 3 * 1 + 2 * 6 + 8);
  // The slot of a body flit turns around in 5 cycles.
  CHECK(measured[3] == 3 * 2 + 2 * 3 + 8 * 5);
}

TEST_CASE("waves show a flit in the buffer of a sleeping router from its arrival to its grant") {
  bench b(1, 1, {});
  recording_sink sink;
  b.sim.trace().add_sink(sink);
  send_packet(b, at(0, 0), at(0, 0), 2, 50);
  b.run();
  b.sim.trace().finish(fs_per_us);
  REQUIRE(b.node(0, 0).received.size() == 2);
  std::vector<std::string> changes;
  for (const std::string& line : sink.lines)
    if (line.find("buffered=") != std::string::npos) changes.push_back(line);
  // Over a link of a cycle; the head asks for the switch two cycles after it came.
  const std::vector<std::string> expected = {"51000000 buffered=1", "52000000 buffered=2",
                                             "53000000 buffered=1", "54000000 buffered=0"};
  CHECK(changes == expected);
}

TEST_CASE("a mesh without traffic costs nothing, and one with little costs little") {
  bench b(8, 8, {});
  send_packet(b, at(0, 0), at(0, 0), 1, 1'000'000);
  b.run();
  const clock_domain& clock = b.sim.service<clock_domains>().with_period(fs_per_ns);
  CHECK(b.node(0, 0).received.size() == 1);
  CHECK(clock.activations() < 12);
}

TEST_CASE("packets of one pair stay in order on one virtual channel") {
  mesh_links links;
  links.buffer = 2;
  bench b(3, 3, links);
  for (int from = 0; from < 9; ++from)
    for (std::uint32_t n = 0; n < 20; ++n) {
      flit sent = make_flit(at(from % 3, from / 3), at(1, 1));
      sent.tag = n;
      b.node(from % 3, from / 3).send(sent);
    }
  b.run();
  std::array<std::uint32_t, 9> next{};
  for (const received_flit& each : b.node(1, 1).received)
    CHECK(each.carried.tag == next[each.carried.source.y * 3U + each.carried.source.x]++);
  CHECK(b.node(1, 1).received.size() == 180);
  CHECK(b.router(1, 1).count().stalled.raw() > 0);
}

TEST_CASE("what waits for a credit is named") {
  mesh_links links;
  links.buffer = 1;
  bench b(2, 1, links);
  b.node(1, 0).takes_flits = false;
  for (int i = 0; i < 4; ++i) b.node(0, 0).send(make_flit(at(0, 0), at(1, 0)));
  b.run();
  CHECK(b.router(1, 0).waiting_for() == "a credit to node[1].port for west vc 0");
}
