// Terminals of synthetic traffic in packets: exact latencies, loads, closed loops, and what they
// notice when the network does wrong.
#include "models/traffic/packet_traffic.hpp"

#include <catch2/catch.hpp>

#include "platform/services/link_directory.hpp"
#include "tests/fidelity/forked_runs.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/support/test_bench.hpp"
#include "tests/support/traffic_system.hpp"

using namespace heddle;

namespace {

constexpr fs_t ns = fs_per_ns;
constexpr fs_t path_latency = 202 * ns;  // 50 + 100 + 50 ns, and 2 ns on the wire

template <class Statistic>
std::uint64_t sum(const traffic_system& star, int nodes,
                  const Statistic packet_traffic_counters::*what) {
  std::uint64_t total = 0;
  for (int i = 0; i < nodes; ++i) total += (star.of("node[" + std::to_string(i) + "]").*what).raw();
  return total;
}

// Joins two links and does to packets what a network must not do.
class crooked_wire final : public unit, private packet_receiver {
 public:
  enum class fault { none, swaps, flips };

  crooked_wire(const unit_context& context, fault what)
      : unit(context),
        left_(*this, *this, "left", 0),
        right_(*this, *this, "right", 1),
        what_(what),
        wake_(timed_call::to<crooked_wire, &crooked_wire::forward>(*this)) {}

 private:
  void receive(packet_port& at, packet& arrived) override {
    at.release(arrived, arrived.tail);
    if (what_ == fault::flips && arrived.tag == 5) arrived.payload.data()[3] ^= std::byte{16};
    waiting_.push_back(&arrived);
    wake_.at(arrived.tail);
  }
  void credits_returned(packet_port&) override {}
  void forward() {
    if (what_ == fault::swaps && waiting_.front()->tag == 5) {
      if (waiting_.size() < 2) return;  // until the next one comes
      what_ = fault::none;
      std::swap(waiting_[0], waiting_[1]);
    }
    packet& p = *waiting_.front();
    waiting_.erase(waiting_.begin());
    right_.send(p, now_fs(), now_fs());
    if (!waiting_.empty()) wake_.at(std::max(right_.free_at(), waiting_.front()->tail));
  }

  packet_port left_, right_;
  fault what_;
  std::vector<packet*> waiting_;
  timed_call wake_;
};

// Ten or so packets, or trains, from one terminal to the other.
std::vector<std::string> failures_behind(crooked_wire::fault fault, bool keeps_order = true,
                                         std::uint32_t train = 1) {
  simulation_settings settings;
  settings.train = train;
  test_bench bench(settings);
  const auto text = [](const std::string& value) {
    return yaml_node::scalar(value, true, source_place{});
  };
  packet_traffic& source = bench.add<packet_traffic>("source", [&](packet_traffic_parameters& p) {
    p.load.load(text("0.5"));
    p.cooldown.set(0_ns);
    p.measure.set({60 * fs_per_ns * train});
    p.warmup.set(0_ns);
  });
  packet_traffic& sink = bench.add<packet_traffic>("sink", [&](packet_traffic_parameters& p) {
    p.load.load(text("0"));
    if (!keeps_order) p.order.load(text("free"));
  });
  crooked_wire& wire = bench.add_stimulus<crooked_wire>("wire", fault);
  bench.link(source, "port", wire, "left");
  bench.link(wire, "right", sink, "port");
  bench.run();
  if (fault == crooked_wire::fault::none || !keeps_order) {
    CHECK(sink.count().packets_received.raw() > 7);
    CHECK(sink.count().reordered.raw() == (fault == crooked_wire::fault::none ? 0 : train));
  }
  return bench.sim.service<run_control>().failures();
}

}  // namespace

TEST_CASE("without contention every packet takes the sum of the parts of its way") {
  traffic_system star(star_netlist(4, "    pattern: ring\n    load: 0.5\n"));
  star.run();
  CHECK(star.failures().empty());
  for (int i = 0; i < 4; ++i) {
    const packet_traffic_counters& node = star.of("node[" + std::to_string(i) + "]");
    CHECK(node.min_network_latency.raw() == path_latency);
    CHECK(node.max_network_latency.raw() == path_latency);
    CHECK(node.min_latency.raw() == path_latency);
    CHECK(node.packets_received.raw() ==
          star.of("node[" + std::to_string((i + 3) % 4) + "]").packets_sent.raw());
    CHECK(node.bytes_received.raw() == node.packets_received.raw() * 200);
  }
  const packet_traffic_summary all = star.summary().at(0);
  CHECK(all.network == "node[*]");
  CHECK(all.terminals == 4);
  CHECK(all.offered == Approx(4 * 50e9));
  CHECK(all.accepted == Approx(4 * 50e9).epsilon(0.01));
  CHECK(all.accepted_share == Approx(0.5).epsilon(0.01));
  CHECK(all.min_network_latency == Approx(202e-9));
  CHECK(all.latency_50 == Approx(all.latency).epsilon(0.05));
  CHECK_FALSE(all.is_saturated);
}

// Two rows of 10 packets of 200 B in a window of 20 us, which the last of them does not end.
TEST_CASE("a window in which the last packets arrive early lasts to its end") {
  const scratch_folder folder;
  const std::string trace = folder.write("t.csv",
                                         "time,from,to,packets\n"
                                         "6 us,node[0],node[1],10\n"
                                         "6 us,node[2],node[3],10\n");
  traffic_system star(star_netlist(4, "    trace: " + trace + "\n"));
  star.run();
  const packet_traffic_summary all = star.summary().at(0);
  CHECK(all.window == 20'000 * ns);
  CHECK(all.offered == Approx(20 * 200 / 20e-6));
  CHECK(all.accepted == Approx(20 * 200 / 20e-6));
  CHECK_FALSE(all.is_saturated);
}

TEST_CASE("nothing is saturated where no packet was created in the window") {
  traffic_system star(star_netlist(4, "    load: 0.5\n    burst: 1000000\n"));
  star.run();
  const packet_traffic_summary all = star.summary().at(0);
  REQUIRE(all.packets == 0);
  CHECK(all.offered > 0);
  CHECK_FALSE(all.is_saturated);
  CHECK(all.missing == "no packet was created in the window");
}

TEST_CASE("a permutation at full load fills every link") {
  traffic_system star(star_netlist(4, "    pattern: shift\n    shift: 2\n    load: 1\n"));
  star.run();
  CHECK(star.summary().at(0).accepted_share == Approx(1).epsilon(1e-3));
  CHECK(sum(star, 4, &packet_traffic_counters::max_latency) == 4 * path_latency);
}

TEST_CASE("everything for one gets through at the rate of one link") {
  traffic_system star(star_netlist(
      5, "    pattern: all2one\n    load: 0.5\n    measure: 10 us\n    cooldown: 0 ns\n"));
  star.run();
  const packet_traffic_summary all = star.summary().at(0);
  CHECK(all.accepted == Approx(100e9).epsilon(0.001));
  CHECK(all.is_saturated);
  CHECK(star.of("node[0]").packets_received.raw() ==
        sum(star, 5, &packet_traffic_counters::packets_sent));
}

// Half of them send, the others take it all; their names say that they are two groups.
std::string senders_and_takers(const std::string& keys) {
  return "heddle: 1\n"
         "name: two_groups\n"
         "units:\n"
         "  hub: {type: switch, ports: 4}\n"
         "  from: {array: 2, type: packet_traffic, " +
         keys +
         "}\n"
         "  to: {array: 2, type: packet_traffic, load: 0}\n"
         "links:\n"
         "  - {for: {i: 2}, between: [\"from[i].port\", \"hub.port[i]\"]}\n"
         "  - {for: {i: 2}, between: [\"to[i].port\", \"hub.port[i + 2]\"]}\n";
}

TEST_CASE("terminals that only send are not saturated while others take all") {
  traffic_system star(
      senders_and_takers("load: 0.1, pattern: hotspot, hot: 'to[*]', hot_share: 1"));
  star.run();
  const auto groups = star.summary();
  CHECK(groups.at(0).accepted == 0);
  CHECK(groups.at(1).accepted == Approx(groups.at(0).offered).epsilon(0.1));
  CHECK_FALSE(groups.at(0).is_saturated);
  CHECK_FALSE(groups.at(1).is_saturated);
}

TEST_CASE("terminals that only send are saturated when the others cannot take all") {
  traffic_system star(senders_and_takers("load: 0.9, pattern: all2one, hot: 'to[0]'"));
  star.run();
  CHECK(star.summary().at(0).is_saturated);
  CHECK_FALSE(star.summary().at(1).is_saturated);  // they offer nothing
}

TEST_CASE("a saturated group says nothing of one with which it exchanges no traffic") {
  traffic_system stars(
      "heddle: 1\n"
      "name: two_stars\n"
      "units:\n"
      "  hub: {array: 2, type: switch, ports: 3}\n"
      "  calm: {array: 3, type: packet_traffic, load: 0.2, destinations: 'calm[*]'}\n"
      "  full: {array: 3, type: packet_traffic, load: 0.9, pattern: all2one,\n"
      "         destinations: 'full[*]'}\n"
      "links:\n"
      "  - {for: {i: 3}, between: [\"calm[i].port\", \"hub[0].port[i]\"]}\n"
      "  - {for: {i: 3}, between: [\"full[i].port\", \"hub[1].port[i]\"]}\n");
  stars.run();
  CHECK_FALSE(stars.summary().at(0).is_saturated);
  CHECK(stars.summary().at(1).is_saturated);
}

// Seven sources share a port for the time in which each alone would fill it: a packet that is
// created at t arrives at 7 t.
TEST_CASE("a mean is right where latencies add up to more than 5 hours") {
  traffic_system star(
      "heddle: 1\n"
      "name: slow\n"
      "units:\n"
      "  hub: {type: switch, ports: 8}\n"
      "  node: {array: 8, type: packet_traffic, load: 1, packet_bytes: 64 KiB, pattern: all2one,\n"
      "         warmup: 0 s, measure: 60 s, cooldown: 0 s}\n"
      "links:\n"
      "  - {for: {i: 8}, between: [\"node[i].port\", \"hub.port[i]\"], bandwidth: 1 MB/s}\n");
  star.run();
  const packet_traffic_summary all = star.summary().at(0);
  CHECK(all.latency * static_cast<double>(all.packets) > 1e6);
  CHECK(all.latency == Approx(6 * 30).epsilon(0.01));
  CHECK(star.of("node[0]").latency.si() == Approx(all.latency * static_cast<double>(all.packets)));
}

TEST_CASE("a load in bytes a second is that of the wire") {
  traffic_system star(
      star_netlist(4, "    pattern: ring\n    load: 20 GB/s\n    measure: 100 us\n"));
  star.run();
  CHECK(star.summary().at(0).offered_share == Approx(0.2));
  CHECK(star.summary().at(0).accepted == Approx(4 * 20e9).epsilon(0.03));
}

TEST_CASE("a closed loop of one packet sends one a round trip") {
  traffic_system star(star_netlist(2,
                                   "    pattern: ring\n    load: 1\n    outstanding: 1\n    "
                                   "header: 20 B\n    cooldown: 0 ns\n"));
  star.run();
  CHECK(star.failures().empty());
  // There in 202 ns, back, as a header, in 200.2 ns; responses of the one and packets of the other
  // start at the same time and share the wire, the responses first.
  const packet_traffic_counters& node = star.of("node[0]");
  CHECK(node.responses.raw() == node.packets_sent.raw());
  const double period = 202 + 200.2;
  CHECK(static_cast<double>(node.packets_sent.raw()) == Approx(21'000 / period).margin(2));
  const packet_traffic_summary all = star.summary().at(0);
  CHECK(all.is_closed_loop);
  CHECK_FALSE(all.is_saturated);
}

// Packets of 4 KiB come to `busy` at a hundredth of its rate. A response to it is on another
// virtual channel: it waits for the wire of one of them (41 ns) at most, not for its last byte (4.1
// us).
TEST_CASE("a response in the gaps of a packet that comes slowly arrives before that packet does") {
  traffic_system star(
      "heddle: 1\n"
      "name: gaps\n"
      "units:\n"
      "  hub: {type: switch, ports: 3, forwarding: 100 ns}\n"
      "  slow: {type: packet_traffic, packet_bytes: 4 KiB, load: 1, pattern: all2one, hot: busy, "
      "outstanding: 50}\n"
      "  busy: {type: packet_traffic, packet_bytes: 64 B, load: 1, pattern: all2one, hot: quick, "
      "outstanding: 1}\n"
      "  quick: {type: packet_traffic, packet_bytes: 64 B, load: 0, outstanding: 1}\n"
      "links:\n"
      "  - {between: [slow.port, \"hub.port[0]\"], bandwidth: 1 GB/s, latency: 50 ns}\n"
      "  - {between: [busy.port, \"hub.port[1]\"], bandwidth: 100 GB/s, latency: 50 ns}\n"
      "  - {between: [quick.port, \"hub.port[2]\"], bandwidth: 100 GB/s, latency: 50 ns}\n");
  star.run();
  CHECK(star.failures().empty());
  CHECK(star.of("busy").packets_received.raw() > 5);
  constexpr fs_t creation = 27'000 * ns, longest_round = (401 + 41) * ns;
  CHECK(star.of("busy").responses.raw() > creation / longest_round);
}

TEST_CASE("trains carry the same bytes and end at the same time") {
  const std::string keys =
      "    pattern: ring\n    load: 1\n    measure: 16 us\n    cooldown: 0 ns\n";
  traffic_system star(star_netlist(4, keys, "train: 8\n"));
  star.run();
  CHECK(star.failures().empty());
  const packet_traffic_counters& node = star.of("node[1]");
  CHECK(node.packets_sent.raw() == 17'000 / 2 / 8 * 8);
  CHECK(node.max_latency.raw() == path_latency + 7 * 2 * ns);
}

TEST_CASE("a trace counts packets, whatever the train") {
  const scratch_folder folder;
  const std::string trace = folder.write("t.csv",
                                         "time,from,to,packets\n"
                                         "2 us,node[0],node[1],3\n"
                                         "3 us,node[2],node[1],1\n"
                                         "4 us,node[2],node[1],10\n");
  traffic_system star(star_netlist(4, "    trace: " + trace + "\n", "train: 4\n"));
  star.run();
  CHECK(star.failures().empty());
  CHECK(star.of("node[0]").packets_sent.raw() == 3);
  CHECK(star.of("node[2]").packets_sent.raw() == 11);
  CHECK(star.of("node[1]").packets_received.raw() == 14);
  CHECK(star.of("node[1]").bytes_received.raw() == 14 * 200);
  CHECK(star.of("node[1]").measured.raw() == 5);  // trains of 3, 1, 4, 4 and 2
  CHECK(star.of("node[1]").min_latency.raw() == path_latency);
  CHECK(star.summary().at(0).offered == Approx(14 * 200 / 20e-6));
}

// Trains of 2 although the netlist says 4: there in 204 ns, and back, as two headers, in 200.4 ns.
TEST_CASE("a closed loop counts packets, whatever the train") {
  traffic_system star(star_netlist(2,
                                   "    pattern: ring\n    load: 1\n    outstanding: 2\n    "
                                   "header: 20 B\n    cooldown: 0 ns\n",
                                   "train: 4\n"));
  star.run();
  CHECK(star.failures().empty());
  const packet_traffic_counters& node = star.of("node[0]");
  CHECK(node.responses.raw() == node.packets_sent.raw());
  CHECK(static_cast<double>(node.packets_sent.raw()) ==
        Approx(2 * 21'000 / (204 + 200.4)).margin(4));
}

// A train of 4 and one of 2, each again when its response is back.
TEST_CASE("a closed loop fills what its trains leave with a shorter one") {
  traffic_system star(star_netlist(2,
                                   "    pattern: ring\n    load: 1\n    outstanding: 6\n    "
                                   "header: 20 B\n    cooldown: 0 ns\n",
                                   "train: 4\n"));
  star.run();
  CHECK(star.failures().empty());
  CHECK(static_cast<double>(star.of("node[0]").packets_sent.raw()) ==
        Approx(6 * 21'000 / 408.8).epsilon(0.05));
}

TEST_CASE("sizes alone take the same times") {
  struct figures {
    std::uint64_t latency, packets, peak;
    bool has_failed;
  };
  const auto simulate = [](const std::string& top) {
    traffic_system star(star_netlist(4, "    load: 0.7\n    measure: 5 us\n", top));
    star.run();
    return figures{sum(star, 4, &packet_traffic_counters::latency),
                   sum(star, 4, &packet_traffic_counters::measured),
                   sum(star, 4, &packet_traffic_counters::max_latency), !star.failures().empty()};
  };
  const auto of = forked_runs(std::vector<std::string>{"", "data: off\n"}, simulate);
  CHECK(of[0].packets > 1000);
  CHECK(of[1].latency == of[0].latency);
  CHECK(of[1].packets == of[0].packets);
  CHECK(of[1].peak == of[0].peak);
  CHECK_FALSE((of[0].has_failed || of[1].has_failed));
}

TEST_CASE("a wire that keeps order and bytes is no failure") {
  CHECK(failures_behind(crooked_wire::fault::none).empty());
}

TEST_CASE("packets out of order fail the run") {
  const auto failures = failures_behind(crooked_wire::fault::swaps);
  REQUIRE(failures.size() == 1);
  CHECK(failures[0] == "sink: packet 5 from source arrived behind number 6");
}

TEST_CASE("packets out of order are counted where the protocol allows them") {
  CHECK(failures_behind(crooked_wire::fault::swaps, false).empty());
}

TEST_CASE("each packet of a train that is out of order is counted") {
  CHECK(failures_behind(crooked_wire::fault::swaps, false, 4).empty());
}

TEST_CASE("a wrong byte fails the run") {
  const auto failures = failures_behind(crooked_wire::fault::flips);
  REQUIRE(failures.size() == 1);
  CHECK(failures[0] == "sink: packet 5 from source carries wrong data");
}

TEST_CASE("a terminal that cannot be reached is refused before the run") {
  const std::string netlist =
      "heddle: 1\n"
      "name: islands\n"
      "units:\n"
      "  hub: {array: 2, type: switch, ports: 2}\n"
      "  node: {array: 4, type: packet_traffic}\n"
      "links:\n"
      "  - {for: {i: 4}, between: [\"node[i].port\", \"hub[i / 2].port[i % 2]\"]}\n";
  CHECK_THROWS_WITH(traffic_system(netlist),
                    Catch::Contains("test.yaml:5:9: no way leads from node[0] to node[2]"));
}

// Blocks of 4 KiB, 20 packets and a half, take turns on two parallel links.
TEST_CASE("packets that are spread by address take all parallel links alike") {
  traffic_system pair(
      "heddle: 1\n"
      "name: parallel\n"
      "routing: {spread: address}\n"
      "units:\n"
      "  hub: {array: 2, type: switch, ports: 3}\n"
      "  node: {array: 2, type: packet_traffic, packet_bytes: 200 B, load: 0.5, order: free,\n"
      "         itself: false}\n"
      "links:\n"
      "  - {for: {i: 2}, between: [\"node[i].port\", \"hub[i].port[0]\"]}\n"
      "  - {for: {i: 2}, between: [\"hub[0].port[i + 1]\", \"hub[1].port[i + 1]\"]}\n");
  pair.run();
  CHECK(pair.failures().empty());
  std::vector<std::uint64_t> carried;
  for (const link_record& each : pair.sim.service<link_directory>().links)
    if (each.from->path().rfind("hub[0].port[", 0) == 0 &&
        each.to->path().rfind("hub[1].port[", 0) == 0)
      carried.push_back(each.figures().bytes);
  REQUIRE(carried.size() == 2);
  CHECK(carried[0] + carried[1] == pair.of("node[1]").bytes_received.raw());
  CHECK(carried[0] > 100'000);
  CHECK(static_cast<double>(carried[0]) ==
        Approx(static_cast<double>(carried[1])).margin(2 * 4096));
}

TEST_CASE("a window lasts no longer than any time of a netlist") {
  CHECK(packet_traffic_parameters().measure.range() == "1 fs..100 s");
}
