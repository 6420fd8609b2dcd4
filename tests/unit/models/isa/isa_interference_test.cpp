// Ordinary traffic beside a collective: who gets how much of a wire that both want.
#include <catch2/catch.hpp>

#include <algorithm>

#include "tests/unit/models/isa/isa_bench.hpp"

using namespace heddle;

namespace {

constexpr std::uint64_t far_half = 1 << 20;  // where ordinary packets go

isa_bench_options wires() {
  isa_bench_options options;
  options.members = 4;
  options.memory = 2 << 20;
  options.rate = 100'000'000'000;  // 144 B in 1.44 ns: the accumulator is faster
  return options;
}

void send_packets(isa_bench& bench, int from, int to, int packets) {
  const std::vector<std::byte> bytes(128, std::byte{0x5a});
  for (int n = 0; n < packets; ++n)
    bench.members[static_cast<std::size_t>(from)]->write(
        isa_bench::base_of(to) + far_half + static_cast<std::uint64_t>(n) * 128, bytes.data(), 128);
}

staged_instruction copy_of(member_mask source, member_mask destination, std::uint32_t bytes) {
  staged_instruction i;
  i.source = source;
  i.destination = destination;
  i.length = bytes;
  return i;
}

}  // namespace

TEST_CASE("results and ordinary packets for one member share its wire evenly") {
  constexpr int packets = 4000;
  isa_bench bench(wires());
  bench.at(0, [&] {
    bench.set_stream(0, 0x6);
    bench.push(copy_of(0x4, 0x2, packets * 128));
    send_packets(bench, 0, 1, packets);
    bench.arrive(0, 0x6);
  });
  bench.run();
  std::vector<bool> is_result;  // in the order of arrival
  std::vector<fs_t> when;
  for (const auto& each : bench.members[1]->arrivals)
    if (each.kind == packet_kind::write_request) {
      is_result.push_back(each.is_inc);
      when.push_back(each.when);
    }
  REQUIRE(is_result.size() == 2 * packets);
  const auto place_of = [&](auto begin, auto end, bool kind) {
    return static_cast<std::size_t>(std::find(begin, end, kind) - begin);
  };
  // Both want the wire from the first of the later kind until the last of the earlier to end.
  const std::size_t first = place_of(is_result.begin(), is_result.end(), !is_result.front());
  const std::size_t last =
      is_result.size() - 1 - place_of(is_result.rbegin(), is_result.rend(), !is_result.back());
  CHECK(last - first > packets);  // for more than half of the traffic both want the wire
  std::size_t out_of_turn = 0, idle = 0;
  for (std::size_t i = first + 1; i <= last; ++i) {
    out_of_turn += is_result[i] == is_result[i - 1] ? 1 : 0;
    idle += when[i] - when[i - 1] != 1'440'000 ? 1 : 0;
  }
  CHECK(out_of_turn == 0);
  CHECK(idle == 0);
  CHECK(bench.failures().empty());
}

TEST_CASE("a collective is not slowed by packets between other members") {
  isa_bench bench(wires());
  std::vector<fs_t> times;
  bench.thread([&] {
    bench.set_stream(0, 0x3);
    for (const bool is_busy :
         {false, false, true}) {  // the first leaves the round robins elsewhere
      isa_bench::wait_ns(1'000'000);
      const fs_t start = now_fs();
      if (is_busy) {
        send_packets(bench, 2, 3, 2000);
        send_packets(bench, 3, 2, 2000);
      }
      bench.push(copy_of(0x3, 0x3, 128'000));
      bench.arrive(0, 0x3);
      isa_bench::wait_ns(100'000);
      times.push_back(bench.flagged_at(0) - start);
      times.push_back(bench.flagged_at(1) - start);
    }
  });
  bench.run();
  CHECK(bench.members[2]->count_of_arrivals(packet_kind::write_response) == 2000);
  REQUIRE(times.size() == 6);
  CHECK(times[4] == times[2]);
  CHECK(times[5] == times[3]);
}

TEST_CASE("packets between members are not slowed by a collective of others") {
  isa_bench bench(wires());
  std::vector<fs_t> times;
  bench.thread([&] {
    bench.set_stream(0, 0x3);
    for (const bool is_busy : {false, true}) {
      isa_bench::wait_ns(1'000'000);
      const fs_t start = now_fs();
      if (is_busy) {
        bench.push(copy_of(0x3, 0x3, 128'000));
        bench.arrive(0, 0x3);
      }
      send_packets(bench, 2, 3, 1000);
      isa_bench::wait_ns(100'000);
      times.push_back(bench.members[2]->arrivals.back().when - start);
    }
  });
  bench.run();
  CHECK(bench.completed() == 1);
  CHECK(times.at(1) == times.at(0));
}

TEST_CASE("on a saturated wire each packet of a collective waits for one other") {
  // Requests of 16 B and results of 144 B to member 1 take turns with packets of 144 B.
  constexpr double most = (16.0 + 144.0 + 2 * 144.0) / (16.0 + 144.0);
  isa_bench bench(wires());
  std::vector<fs_t> times;
  bench.thread([&] {
    bench.set_stream(0, 0x3);
    for (const bool is_busy : {false, true}) {
      isa_bench::wait_ns(1'000'000);
      if (is_busy) {
        send_packets(bench, 3, 1, 4000);
        isa_bench::wait_ns(500);
      }
      const fs_t start = now_fs();
      bench.push(copy_of(0x3, 0x3, 256'000));
      bench.arrive(0, 0x3);
      isa_bench::wait_ns(50'000);
      times.push_back(bench.flagged_at(1) - start);
    }
  });
  bench.run();
  const double slowdown = static_cast<double>(times.at(1)) / static_cast<double>(times.at(0));
  INFO("slowdown " << slowdown);
  CHECK(slowdown > 0.9 * most);
  CHECK(slowdown <= most);
}
