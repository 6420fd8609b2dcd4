// Streams beside each other, the order within one, and what sync, notify and fence mean.
#include <catch2/catch.hpp>

#include "models/workloads/collective/golden/golden.hpp"
#include "platform/tensor/random.hpp"
#include "tests/unit/models/isa/isa_bench.hpp"

using namespace heddle;

namespace {

struct stream_bench : isa_bench {
  explicit stream_bench(const isa_bench_options& given) : isa_bench(given) {
    for (std::size_t m = 0; m < members.size(); ++m) {
      fill_random(dtype::fp16, members[m]->at(4096), (given.memory - 4096) / 2, 5, m);
      inputs.push_back(members[m]->memory);
      members[m]->delay = [seed = m + 1](const packet&) mutable {
        seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
        return (seed >> 33) % 200 * fs_per_ns;
      };
    }
  }
  // Several streams whose results no other stream reads.
  void check(const staged_instruction& i) {
    rank_inputs operands(members.size());
    for_each_member(i.source, [&](int m) {
      operands[static_cast<std::size_t>(m)] = inputs[static_cast<std::size_t>(m)].data() + i.offset;
    });
    const tensor_bytes golden = golden_tree_allreduce(i.type, i.op, operands, i.length / 2);
    for_each_member(i.destination, [&](int m) {
      INFO("stream " << i.stream << ", member " << m);
      const std::byte* got = members[static_cast<std::size_t>(m)]->at(i.offset);
      CHECK(std::equal(golden.begin(), golden.end(), got));
    });
  }
  std::vector<std::vector<std::byte>> inputs;
};

isa_bench_options of(int members, std::uint64_t controllers) {
  isa_bench_options options;
  options.members = members;
  options.isa = [=](isa_parameters& p) {
    p.table.set({1024});
    p.wave.set({128});
    p.controllers.set(controllers);
  };
  return options;
}

staged_instruction on(int stream, member_mask source, member_mask destination,
                      std::uint32_t length) {
  staged_instruction i;
  i.stream = stream;
  i.source = source;
  i.destination = destination;
  i.length = length;
  i.offset = 4096 + 8192 * static_cast<std::uint64_t>(stream);
  return i;
}

void check_concurrent(std::uint64_t controllers, const std::vector<staged_instruction>& streams,
                      int members) {
  stream_bench bench(of(members, controllers));
  bench.at(0, [&] {
    for (const staged_instruction& each : streams) {
      bench.set_stream(each.stream, each.source | each.destination);
      bench.push(each);
    }
  });
  for (int m = 0; m < members; ++m)
    bench.at(static_cast<fs_t>(m * 37 + 1) * fs_per_ns, [&, m] {
      for (const staged_instruction& each : streams)
        if (((each.source | each.destination) & mask_of(m)) != 0)
          bench.arrive(each.stream, mask_of(m));
    });
  bench.run();
  for (const staged_instruction& each : streams) {
    CHECK(bench.completed(each.stream) == 1);
    bench.check(each);
    for_each_member(each.source | each.destination,
                    [&](int m) { CHECK(bench.completions(m, each.stream) == 1); });
  }
  CHECK(bench.count().peak_waves.raw() <= 8);
  for (const memory_member* each : bench.members) CHECK(each->most_asked_bytes <= 1024);
  CHECK(bench.failures().empty());
  CHECK(bench.audit().empty());
}

}  // namespace

TEST_CASE("disjoint streams run beside each other") {
  check_concurrent(2, {on(0, 0x3, 0x3, 5000), on(1, 0xc, 0xc, 5000)}, 4);
}
TEST_CASE("streams with members in common run beside each other") {
  check_concurrent(4,
                   {on(0, 0x3f, 0x3f, 5000), on(1, 0x1c, 0x3, 3000), on(2, 0x20, 0x1f, 4002),
                    on(3, 0x5, 0x38, 2)},
                   6);
}
TEST_CASE("one controller serves all streams") {
  check_concurrent(1, {on(0, 0x3f, 0x3f, 5000), on(1, 0x1c, 0x3, 3000), on(2, 0x20, 0x1f, 4002)},
                   6);
}
TEST_CASE("more controllers than streams") {
  check_concurrent(16, {on(2, 0x7, 0x4, 5000), on(5, 0x6, 0x3, 500)}, 3);
}

TEST_CASE("disjoint streams do not slow each other down") {
  isa_bench_options options = of(4, 2);
  options.rate = 10'000'000'000;  // slower than half the accumulator that they share
  stream_bench bench(options);
  for (memory_member* each : bench.members) each->delay = [](const packet&) { return fs_t{0}; };
  std::vector<fs_t> times;
  bench.thread([&] {
    bench.set_stream(0, 0x3);
    bench.set_stream(1, 0xc);
    for (const bool is_alone :
         {true, true, false}) {  // the first leaves the round robins elsewhere
      bench.push(on(0, 0x3, 0x3, 4096));
      if (!is_alone) bench.push(on(1, 0xc, 0xc, 4096));
      const fs_t start = now_fs();
      bench.arrive(0, 0x3);
      if (!is_alone) bench.arrive(1, 0xc);
      isa_bench::wait_ns(1'000'000);
      times.push_back(bench.flagged_at(0) - start);
    }
  });
  bench.run();
  CHECK(bench.completed(0) == 3);
  CHECK(bench.completed(1) == 1);
  CHECK(times.at(2) >= times.at(1));
  CHECK(times.at(2) - times.at(1) <= fs_per_ns);  // one packet of the other in the accumulator
}

TEST_CASE("one flag for a sequence: sync at its first, notify at its last") {
  stream_bench bench(of(3, 1));
  bench.at(0, [&] {
    bench.set_stream(0, 0x7);
    for (int rank = 0; rank < 3; ++rank) {
      staged_instruction i = on(0, 0x7, mask_of(rank), 1000);
      i.offset = 4096 + 1024 * static_cast<std::uint64_t>(rank);
      i.syncs = rank == 0;
      i.notifies = rank == 2;
      bench.push(i);
    }
    CHECK(bench.read32(isa_regs::stream_queued_offset(0)) == 3);
    bench.arrive(0, 0x7);
  });
  bench.run();
  CHECK(bench.completed() == 3);
  for (int m = 0; m < 3; ++m) {
    CHECK(bench.completions(m) == 1);
    std::size_t writes_after_flag = 0;
    for (const auto& each : bench.members[static_cast<std::size_t>(m)]->arrivals)
      writes_after_flag +=
          each.kind == packet_kind::write_request && each.when > bench.flagged_at(m) ? 1 : 0;
    CHECK(writes_after_flag == 0);
  }
  for (int rank = 0; rank < 3; ++rank) {
    staged_instruction i = on(0, 0x7, mask_of(rank), 1000);
    i.offset = 4096 + 1024 * static_cast<std::uint64_t>(rank);
    bench.check(i);
  }
}

TEST_CASE("without sync nobody has to arrive, without notify nobody is told") {
  stream_bench bench(of(2, 1));
  bench.at(0, [&] {
    bench.set_stream(0, 0x3);
    staged_instruction i = on(0, 0x3, 0x3, 1000);
    i.syncs = i.notifies = false;
    bench.push(i);
  });
  bench.run();
  CHECK(bench.completed() == 1);
  CHECK(bench.completions(0) == 0);
  bench.check(on(0, 0x3, 0x3, 1000));
}

namespace {

// The first adds three operands into member 0; the second spreads member 0's.
void push_dependent_pair(stream_bench& bench, bool fences) {
  bench.at(0, [&bench, fences] {
    bench.set_stream(0, 0x7);
    staged_instruction reduce = on(0, 0x7, 0x1, 4096), broadcast = on(0, 0x1, 0x6, 4096);
    reduce.notifies = false;
    broadcast.syncs = false;
    broadcast.fences = fences;
    bench.push(reduce);
    bench.push(broadcast);
    bench.arrive(0, 0x7);
  });
  bench.run();
  CHECK(bench.completed() == 2);
}

}  // namespace

TEST_CASE("a fence waits for the results of every instruction before it") {
  stream_bench bench(of(3, 2));
  push_dependent_pair(bench, true);
  bench.check(on(0, 0x7, 0x7, 4096));
}

TEST_CASE("without a fence instructions of a stream overlap") {
  stream_bench bench(of(3, 2));
  push_dependent_pair(bench, false);
  std::vector<fs_t> reads, writes;
  for (const auto& each : bench.members[0]->arrivals) {
    if (each.kind == packet_kind::read_request) reads.push_back(each.when);
    if (each.kind == packet_kind::write_request) writes.push_back(each.when);
  }
  CHECK(reads[32] < writes.back());  // the second asks before the first is complete
}

TEST_CASE("counters count rounds: a member may arrive again at once") {
  stream_bench bench(of(2, 1));
  bench.thread([&] {
    bench.set_stream(0, 0x3);
    for (int i = 0; i < 3; ++i) bench.push(on(0, 0x3, 0x3, 4096));
    bench.arrive(0, 0x3);
    isa_bench::wait_ns(50);
    CHECK(bench.read64(isa_regs::stream_counter_offset(0)) == 0);
    bench.arrive(0, 0x3);  // while the first runs: the queue goes on
    isa_bench::wait_ns(100'000);
    CHECK(bench.completed() == 2);
    CHECK(bench.completions(1) == 2);
    CHECK(bench.isa.waiting_for().empty());
    bench.arrive(0, 0x1);
    isa_bench::wait_ns(100);
    CHECK(bench.isa.waiting_for() == "gpu[1] to arrive at stream 0");
    bench.arrive(0, 0x2);
    isa_bench::wait_ns(100'000);
    bench.arrive(0, 0x3);
    isa_bench::wait_ns(100);
    CHECK(bench.isa.waiting_for() == "an instruction for stream 0, where all have arrived");
  });
  bench.run();
}

TEST_CASE("the hang report says whose operands and responses are missing") {
  isa_bench bench([] {
    isa_bench_options options = of(3, 1);
    options.members = 3;
    return options;
  }());
  bench.members[1]->delay = [](const packet& p) {
    return p.kind == packet_kind::read_request ? fs_per_ms : 0;
  };
  bench.members[2]->delay = [](const packet& p) {
    return p.kind == packet_kind::write_request ? 3 * fs_per_ms : 0;
  };
  bench.thread([&] {
    bench.set_stream(0, 0x7);
    bench.push(on(0, 0x7, 0x7, 256));
    bench.arrive(0, 0x7);
    isa_bench::wait_ns(100'000);
    CHECK(bench.isa.waiting_for() == "operands of 2 waves from gpu[1]");
    isa_bench::wait_ns(2'000'000);
    CHECK(bench.isa.waiting_for() == "write responses of 2 waves");
    isa_bench::wait_ns(2'000'000);
    CHECK(bench.isa.waiting_for().empty());
    staged_instruction quantized = on(0, 0x7, 0x7, 256);
    quantized.quant = quantization{8, 64};
    quantized.id = 77;
    bench.stage(quantized, 4096);
    CHECK(bench.isa.waiting_for() == "the scale instruction of instruction 77 of stream 0");
  });
  bench.run();
}
