// From arrival to flag, to the femtosecond: the sum of its parts, written out.
#include <catch2/catch.hpp>

#include "tests/unit/models/isa/isa_bench.hpp"

using namespace heddle;

namespace {

constexpr fs_t hop = 10 * fs_per_ns;  // one link
constexpr fs_t read_delay = 7 * fs_per_ns, write_delay = 3 * fs_per_ns;
constexpr fs_t cycle = fs_per_ns;  // of the accumulator, which takes a packet of 128 B in one
constexpr fs_t accumulating = 20 * cycle, quantizing = 100 * cycle;

constexpr fs_t wire(std::uint32_t bytes) {
  return bytes * fs_per_ps;
}
constexpr fs_t arrival = wire(16 + 16) + hop;  // an addition to a counter or flag: header, a flit
constexpr fs_t request = wire(16) + hop;       // to read; a write's response is as long
constexpr fs_t operand = wire(16 + 128) + hop;

struct timed_bench : isa_bench {
  explicit timed_bench(const isa_bench_options& given = {}) : isa_bench(given) {
    for (memory_member* each : members)
      each->delay = [](const packet& p) {
        return p.kind == packet_kind::read_request    ? read_delay
               : p.kind == packet_kind::write_request ? write_delay
                                                      : 0;
      };
  }
  // The members arrive a nanosecond apart, the last one at the returned time.
  fs_t run_one(const staged_instruction& pushed) {
    at(0, [=] {
      set_stream(0, all());
      push(pushed);
    });
    for (int m = 0; m < options.members; ++m)
      at(static_cast<fs_t>(m + 1) * fs_per_ns, [=] { arrive(0, mask_of(m)); });
    run();
    CHECK(failures().empty());
    CHECK(audit().empty());
    return static_cast<fs_t>(options.members) * fs_per_ns;
  }
  staged_instruction allreduce(std::uint32_t bytes) const {
    staged_instruction i;
    i.length = bytes;
    i.source = i.destination = all();
    return i;
  }
};

isa_bench_options with_members(int members) {
  isa_bench_options options;
  options.members = members;
  return options;
}

isa_bench_options with_table(std::uint64_t table, std::uint64_t wave) {
  isa_bench_options options;
  options.isa = [=](isa_parameters& p) {
    p.table.set({table});
    p.wave.set({wave});
  };
  return options;
}

void check_one_packet(int members) {
  timed_bench bench(with_members(members));
  const fs_t last = bench.run_one(bench.allreduce(128));
  const fs_t expected = last + arrival + request + read_delay + operand  //
                        + accumulating + cycle + hop                     // slower than the wire
                        + write_delay + request + arrival;
  for (int m = 0; m < members; ++m) {
    INFO(m);
    CHECK(bench.completions(m) == 1);
    CHECK(bench.flagged_at(m) == expected);
  }
  CHECK(bench.count().sync_wait.raw() == static_cast<fs_t>(members - 1) * fs_per_ns);
  CHECK(bench.count().accumulator_busy.raw() == cycle);
  CHECK(bench.count().waves.raw() == 1);
  CHECK(bench.count().instructions.raw() == 1);
  // From the last arrival until the last write is answered, when the flags are sent.
  CHECK(bench.count().instruction_time.raw() == expected - last - 2 * arrival);
  CHECK(bench.count().arrivals.raw() == static_cast<std::uint64_t>(members));
  CHECK(bench.count().operand_bytes.raw() == 128U * static_cast<std::uint64_t>(members));
  CHECK(bench.count().result_bytes.raw() == 128U * static_cast<std::uint64_t>(members));
}

}  // namespace

TEST_CASE("one packet of two members: arrival to flag is the sum of its parts") {
  check_one_packet(2);
}
TEST_CASE("one packet of three members: arrival to flag is the sum of its parts") {
  check_one_packet(3);
}
TEST_CASE("one packet of five members: arrival to flag is the sum of its parts") {
  check_one_packet(5);
}
TEST_CASE("one packet of eight members: arrival to flag is the sum of its parts") {
  check_one_packet(8);
}

TEST_CASE("what comes for the accelerator pays the way through the crossbar") {
  constexpr fs_t through = 500 * fs_per_ns;
  isa_bench_options options = with_members(4);
  options.isa = [](isa_parameters& p) { p.forwarding.set({through}); };
  timed_bench bench(options);
  const fs_t last = bench.run_one(bench.allreduce(128));
  // Three times: the arrival, the operand and the response to the write.
  const fs_t expected = last + arrival + through + request + read_delay + operand + through  //
                        + accumulating + cycle + hop                                         //
                        + write_delay + request + through + arrival;
  for (int m = 0; m < 4; ++m) CHECK(bench.flagged_at(m) == expected);
}

TEST_CASE("one operand passes through without the accumulator's latency") {
  timed_bench bench(with_members(3));
  staged_instruction broadcast = bench.allreduce(128);
  broadcast.source = mask_of(1);
  broadcast.destination = mask_of(0) | mask_of(2);
  const fs_t last = bench.run_one(broadcast);
  const fs_t expected = last + arrival + request + read_delay + operand + cycle + hop +
                        write_delay + request + arrival;
  for (int m = 0; m < 3; ++m) CHECK(bench.flagged_at(m) == expected);
}

TEST_CASE("a quantized packet: scales first, the longer pipeline, scales last") {
  timed_bench bench(with_members(4));
  staged_instruction quantized = bench.allreduce(128);
  quantized.quant = quantization{8, 64};
  quantized.scale_offset = 8192;
  const fs_t last = bench.run_one(quantized);
  // Two scales are 4 B, a flit on the wire. At the last to arrive, the response to its arrival goes
  // between the requests for scales and data: they are in different queues.
  constexpr fs_t scales = wire(16 + 16), between = wire(16 + 16);
  const fs_t ready = last + arrival + wire(16) + between + request + read_delay + operand;
  // Computed data and scales come out one behind the other, slower than the wire takes the data.
  const fs_t written = ready + quantizing + cycle + scales + hop;
  const fs_t expected = written + write_delay + request + arrival;
  for (int m = 0; m < 4; ++m) CHECK(bench.flagged_at(m) == expected);
}

TEST_CASE("the second wave overlaps the first") {
  timed_bench bench([] {
    isa_bench_options options = with_table(256, 128);
    options.members = 4;
    return options;
  }());
  const fs_t last = bench.run_one(bench.allreduce(256));
  // Its operands come right behind; it waits for the accumulator alone.
  const fs_t expected = last + arrival + request + read_delay + operand + cycle + accumulating +
                        cycle + hop + write_delay + request + arrival;
  for (int m = 0; m < 4; ++m) CHECK(bench.flagged_at(m) == expected);
  CHECK(bench.count().peak_waves.raw() == 2);
  CHECK(bench.count().slot_wait.raw() == 0);
}

TEST_CASE("a controller that takes cycles for a wave makes the next one later") {
  constexpr fs_t making = 400 * cycle;
  isa_bench_options options = with_table(256, 128);
  const auto table = options.isa;
  options.isa = [table](isa_parameters& p) {
    table(p);
    p.issue.set(400);
  };
  timed_bench bench(options);
  const fs_t last = bench.run_one(bench.allreduce(256));
  const fs_t expected = last + arrival + making + request + read_delay + operand + accumulating +
                        cycle + hop + write_delay + request + arrival;
  for (int m = 0; m < options.members; ++m) CHECK(bench.flagged_at(m) == expected);
  CHECK(bench.count().slot_wait.raw() == 0);
}

namespace {

// Two all-reduces at once, among members 0 and 1 and among members 2 and 3, with an accumulator
// that takes 40 ns for a packet.
void check_groups(std::uint64_t accumulators, fs_t second_waits) {
  isa_bench_options options = with_members(8);
  options.isa = [accumulators](isa_parameters& p) {
    p.accumulators.set(accumulators);
    p.controllers.set(2);
    p.cycle.set({40 * fs_per_ns});
    p.latency.set(0);
  };
  timed_bench bench(options);
  bench.at(0, [&] {
    for (const int stream : {0, 1}) {
      const member_mask pair = member_mask{3} << 6 * stream;
      bench.set_stream(stream, pair);
      staged_instruction i = bench.allreduce(128);
      i.stream = stream;
      i.source = i.destination = pair;
      bench.push(i);
    }
  });
  bench.at(1000 * fs_per_ns, [&] {
    bench.arrive(0, 3);
    bench.arrive(1, 192);
  });
  bench.run();
  CHECK(bench.failures().empty());
  for (const int m : {1, 7}) CHECK(bench.completions(m, m / 6) == 1);
  CHECK(bench.flagged_at(7, 1) - bench.flagged_at(1, 0) == second_waits);
  CHECK(bench.count().accumulator_busy.raw() == 2 * 40 * fs_per_ns);
}

}  // namespace

TEST_CASE("groups of members that share an accumulator wait for each other") {
  check_groups(1, 40 * fs_per_ns);
}
TEST_CASE("groups of members with an accumulator each do not") {
  check_groups(2, 0);
}

TEST_CASE("a table entry is free again when the accumulator has its last byte") {
  timed_bench bench(with_table(128, 128));
  const fs_t last = bench.run_one(bench.allreduce(256));
  const fs_t round_trip = request + read_delay + operand + cycle;
  const std::vector<memory_member::arrival>& seen = bench.members[0]->arrivals;
  std::vector<fs_t> reads;
  for (const auto& each : seen)
    if (each.kind == packet_kind::read_request) reads.push_back(each.when);
  CHECK(reads ==
        std::vector<fs_t>{last + arrival + request, last + arrival + round_trip + request});
  CHECK(bench.count().slot_wait.raw() == round_trip);
  CHECK(bench.count().peak_waves.raw() == 1);
}

TEST_CASE("Little's law: a small table gives a table's bytes each round trip") {
  constexpr std::uint32_t packets = 100;
  timed_bench bench(with_table(128, 128));
  const fs_t last = bench.run_one(bench.allreduce(packets * 128));
  const fs_t round_trip = request + read_delay + operand + cycle;  // of a table entry
  const fs_t expected =
      last + arrival + packets * round_trip + accumulating + hop + write_delay + request + arrival;
  CHECK(bench.flagged_at(0) == expected);
  CHECK(bench.flagged_at(1) == expected);
}

TEST_CASE("waves wait for room in the write queue of a slow member") {
  constexpr fs_t held = 100 * fs_per_ns;
  isa_bench_options options = with_table(512, 128);
  options.buffer = 144;  // one packet
  const auto table = options.isa;
  options.isa = [=](isa_parameters& p) {
    table(p);
    p.write_queue.set(1);
    p.latency.set(0);  // what the pipeline holds needs no room
  };
  timed_bench bench(options);
  staged_instruction reduce = bench.allreduce(3 * 128);
  reduce.destination = mask_of(1);
  bench.members[1]->hold = [](const packet& p) {
    return p.kind == packet_kind::write_request ? held : 0;
  };
  const fs_t last = bench.run_one(reduce);
  // The in-network credits of a link are a packet: an operand's buffer is free when it has come.
  const fs_t first = last + arrival + request + read_delay + operand;
  const fs_t first_on_wire = first;
  const fs_t second_on_wire = first_on_wire + cycle + hop + held + hop;
  const fs_t third_on_wire = second_on_wire + wire(144) + hop + held + hop;
  const fs_t expected = third_on_wire + wire(144) + hop + held + write_delay + request + arrival;
  CHECK(bench.flagged_at(1) == expected);
  CHECK(bench.count().write_wait.raw() > 0);
}
