// Barriers: instructions that move nothing. Times are the sums of their parts; what stands before
// and behind a barrier in its stream keeps its order; other streams do not notice.
#include <catch2/catch.hpp>

#include "tests/unit/models/isa/isa_bench.hpp"

using namespace heddle;

namespace {

constexpr fs_t hop = 10 * fs_per_ns;                   // one link
constexpr fs_t arrival = (16 + 16) * fs_per_ps + hop;  // an addition: header, a flit

staged_instruction barrier(int stream) {
  staged_instruction i;
  i.stream = stream;
  i.is_barrier = true;
  i.length = 0;  // nobody looks at it
  return i;
}

isa_bench_options with_members(int members) {
  isa_bench_options options;
  options.members = members;
  return options;
}

// Instructions of stream 0; members arrive a nanosecond apart, over and over.
void run_rounds(isa_bench& bench, const std::vector<staged_instruction>& pushed, int rounds) {
  constexpr fs_t round = 1000 * fs_per_ns;
  bench.at(0, [&bench, pushed] {
    bench.set_stream(0, bench.all());
    for (const staged_instruction& each : pushed) bench.push(each);
  });
  for (int r = 0; r < rounds; ++r)
    for (int m = 0; m < bench.options.members; ++m)
      bench.at(static_cast<fs_t>(r) * round + static_cast<fs_t>(m + 1) * fs_per_ns,
               [&bench, m] { bench.arrive(0, mask_of(m)); });
  bench.run();
  CHECK(bench.failures().empty());
  CHECK(bench.audit().empty());
}

void check_time(int members) {
  isa_bench bench(with_members(members));
  run_rounds(bench, {barrier(0)}, 1);
  const fs_t last = static_cast<fs_t>(members) * fs_per_ns;
  for (int m = 0; m < members; ++m) {
    INFO(m);
    CHECK(bench.completions(m) == 1);
    CHECK(bench.flagged_at(m) == last + arrival + arrival);  // there, and the flag back
  }
  CHECK(bench.count().instructions.raw() == 1);
  CHECK(bench.count().waves.raw() == 0);
  CHECK(bench.count().operand_bytes.raw() == 0);
  CHECK(bench.count().result_bytes.raw() == 0);
  CHECK(bench.count().sync_wait.raw() == static_cast<fs_t>(members - 1) * fs_per_ns);
}

}  // namespace

TEST_CASE("a barrier of one member takes the way to the switch and back") {
  check_time(1);
}
TEST_CASE("a barrier of two members takes the way to the switch and back") {
  check_time(2);
}
TEST_CASE("a barrier of sixteen members takes the way to the switch and back") {
  check_time(16);
}

TEST_CASE("each of several barriers waits for arrivals of its own") {
  isa_bench bench(with_members(3));
  run_rounds(bench, {barrier(0), barrier(0), barrier(0)}, 2);
  CHECK(bench.completed() == 2);
  for (int m = 0; m < 3; ++m) CHECK(bench.completions(m) == 2);
}

TEST_CASE("barriers without sync end with what stands before them") {
  isa_bench bench(with_members(2));
  staged_instruction quiet;
  quiet.source = quiet.destination = bench.all();
  quiet.length = 4096;
  quiet.notifies = false;
  staged_instruction last = barrier(0);
  last.syncs = false;
  run_rounds(bench, {quiet, last, last}, 1);
  CHECK(bench.completed() == 3);
  for (int m = 0; m < 2; ++m) CHECK(bench.completions(m) == 2);
  // Not before the results of the instruction in front of them.
  fs_t written = 0;
  for (const memory_member::arrival& each : bench.members[0]->arrivals)
    if (each.kind == packet_kind::write_request) written = std::max(written, each.when);
  CHECK(written > 0);
  for (const memory_member::arrival& each : bench.members[0]->arrivals)
    if (each.kind == packet_kind::atomic_request) CHECK(each.when > written);
}

TEST_CASE("what stands behind a barrier starts at once") {
  isa_bench bench(with_members(2));
  staged_instruction next;
  next.source = next.destination = bench.all();
  next.syncs = false;
  run_rounds(bench, {barrier(0), next}, 1);
  CHECK(bench.completed() == 2);
  CHECK(bench.count().waves.raw() == 1);
}

TEST_CASE("barriers of disjoint streams do not wait for each other") {
  isa_bench bench(with_members(4));
  bench.at(0, [&] {
    for (const int stream : {0, 5}) {
      bench.set_stream(stream, stream == 0 ? 0x3 : 0xc);
      bench.push(barrier(stream));
    }
  });
  bench.at(fs_per_ns, [&] { bench.arrive(5, 0xc); });
  bench.run();
  CHECK(bench.completed(5) == 1);
  CHECK(bench.completed(0) == 0);
  CHECK(bench.completions(2, 5) == 1);
  CHECK(bench.completions(0, 0) == 0);
}

TEST_CASE("a member that never comes to a barrier is named by the watchdog") {
  isa_bench bench(with_members(3));
  bench.at(0, [&] {
    bench.set_stream(0, bench.all(), 500);
    bench.push(barrier(0));
    bench.arrive(0, 0x5);
  });
  bench.run();
  CHECK(bench.error() == isa_error::MISSING_MEMBER);
  CHECK(bench.culprit() == 0x2);
}
