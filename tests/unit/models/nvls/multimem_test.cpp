#include "models/inc/multimem/multimem.hpp"

#include <catch2/catch.hpp>

#include "models/workloads/collective/golden/golden.hpp"
#include "platform/tensor/random.hpp"
#include "tests/support/interrupt_recorder.hpp"
#include "tests/unit/models/nvls/nvls_bench.hpp"

using namespace heddle;

namespace {

constexpr std::uint64_t registers = 0x1000;
constexpr std::uint32_t ld_reduce = 0, st = 1, red = 2, all_reduce = 3;
constexpr std::uint32_t fp16 = 0, fp32 = 2, sum = 0, max = 2;
constexpr std::uint32_t idle = 0, busy = 1, error = 2;
constexpr std::uint32_t bad_operation = 1, bus_error = 2, started_while_busy = 3;
constexpr std::uint64_t region = nvls_bench::region;

// Every accelerator has a unit.
struct multimem_bench : nvls_bench {
  std::vector<multimem_unit*> units;
  interrupt_recorder& irq = add_stimulus<interrupt_recorder>("irq");

  explicit multimem_bench(const nvls_options& o = {}, std::uint64_t outstanding = 2048,
                          std::uint64_t packet = 128)
      : nvls_bench(o) {
    for (std::size_t i = 0; i < cores.size(); ++i) {
      units.push_back(
          &add<multimem_unit>("multimem" + std::to_string(i), [&](multimem_parameters& p) {
            p.outstanding.set(outstanding);
            p.packet.set({packet});
          }));
      bind(*units[i], "memory", *buses[i], "in");
      bind(*units[i], "fabric", *nis[i], "in");
      map(*buses[i], registers, 0x1000, *units[i], "registers");
    }
    bind(*units[0], "irq", irq, "irq");
  }
  void set(int rank, std::uint64_t offset, std::uint64_t value, std::uint32_t bytes = 4) {
    core(rank).write(registers + offset, &value, bytes);
  }
  std::uint32_t get(int rank, std::uint64_t offset) {
    std::uint32_t value = 0;
    core(rank).read(registers + offset, &value, 4);
    return value;
  }
  void start(int rank, std::uint32_t kind, std::uint64_t destination, std::uint64_t source,
             std::uint32_t bytes, std::uint32_t dtype = fp32, std::uint32_t op = sum) {
    set(rank, 0x8, source, 8);
    set(rank, 0x10, destination, 8);
    set(rank, 0x20, bytes);
    set(rank, 0x24, kind | dtype << 4 | op << 8);
    set(rank, 0x28, 1);
  }
  std::uint32_t completed(int rank) { return get(rank, 0x2c); }
  std::uint32_t state(int rank) { return get(rank, 0x30) & 3; }
  std::uint32_t reason(int rank) { return get(rank, 0x30) >> 4; }
  void await(int rank, std::uint32_t count) {
    while (completed(rank) != count) sc_core::wait(to_sc_time(fs_per_ns));
  }
  bool completes_exactly_at(int rank, std::uint32_t count, fs_t when) {
    sc_core::wait(to_sc_time(when - 1 - now_fs()));
    const bool was_too_early = completed(rank) >= count;
    sc_core::wait(to_sc_time(2));
    return !was_too_early && completed(rank) == count;
  }
};

constexpr fs_t per_byte = nvls_bench::per_byte;
constexpr fs_t hops = 4 * nvls_bench::latency + 2 * nvls_bench::forwarding;
constexpr fs_t in_memory = nvls_bench::memory_latency + 128 * per_byte;
constexpr fs_t header = 16 * per_byte, full = 144 * per_byte;
constexpr fs_t load = header + 2 * full + hops + in_memory + nvls_bench::pipeline;
constexpr fs_t store = full + 2 * header + hops + in_memory;

}  // namespace

TEST_CASE("a reduced load into memory takes the load and a local write") {
  multimem_bench bench;
  bool is_exact = false;
  for (int rank = 0; rank < 4; ++rank) {
    const std::vector<float> mine(32, static_cast<float>(rank));
    bench.fill(rank, 0, mine.data(), 128);
  }
  bench.at(1000, [&] {
    bench.start(0, ld_reduce, nvls_bench::base_of(0) + 0x2000, region, 128, fp32, max);
    is_exact = bench.completes_exactly_at(0, 1, 1000 + load + in_memory);
  });
  bench.run();
  CHECK(is_exact);
  CHECK(bench.word_of<float>(0, 0x2000 + 124) == 3.0F);
  CHECK(bench.word_of<float>(1, 0x2000) == 0.0F);
  CHECK(bench.failures().empty());
}

TEST_CASE("a store from memory takes a local read and the store") {
  multimem_bench bench;
  bool is_exact = false;
  const std::vector<float> mine(32, 2.5F);
  bench.fill(0, 0, mine.data(), 128);
  bench.at(0, [&] {
    bench.start(0, st, region + 0x2000, nvls_bench::base_of(0), 128);
    is_exact = bench.completes_exactly_at(0, 1, in_memory + store);
  });
  bench.run();
  CHECK(is_exact);
  for (int rank = 0; rank < 4; ++rank) CHECK(bench.word_of<float>(rank, 0x2000) == 2.5F);
  CHECK(bench.failures().empty());
}

TEST_CASE("an all-reduce is a load and a store, without memory between them") {
  multimem_bench bench;
  bool is_exact = false;
  std::uint32_t during = 9, after = 9;
  for (int rank = 0; rank < 4; ++rank) {
    const std::vector<float> mine(32, static_cast<float>(rank));
    bench.fill(rank, 0, mine.data(), 128);
  }
  constexpr fs_t start = fs_per_us;
  bench.at(start, [&] {
    bench.set(0, 0x3c, 3);
    bench.start(0, all_reduce, region, region, 128);
    during = bench.state(0);
    is_exact = bench.completes_exactly_at(0, 1, start + load + store);
    after = bench.state(0);
    bench.set(0, 0x38, 1);
  });
  bench.run();
  CHECK(is_exact);
  CHECK(during == busy);
  CHECK(after == idle);
  for (int rank = 0; rank < 4; ++rank) CHECK(bench.word_of<float>(rank, 0) == 6.0F);
  using changes = std::vector<std::pair<fs_t, bool>>;
  CHECK(bench.irq.changes ==
        changes{{start + load + store, true}, {start + load + store + 1, false}});
  CHECK(bench.statistic_of(*bench.units[0], "operations") == 1);
  CHECK(bench.statistic_of(*bench.units[0], "bytes") == 128);
  CHECK(bench.statistic_of(*bench.units[0], "in_operations") == load + store);
  CHECK(bench.failures().empty());
}

TEST_CASE("an addition goes to the word of every member") {
  multimem_bench bench;
  bench.at(0, [&] {
    bench.set(1, 0x18, 5, 8);
    bench.start(1, red, region + 0x40, 0, 0);
    bench.await(1, 1);
    bench.start(1, red, region + 0x40, 0, 0);
    bench.await(1, 2);
  });
  bench.run();
  for (int rank = 0; rank < 4; ++rank) CHECK(bench.word_of<std::uint64_t>(rank, 0x40) == 10);
}

namespace {

void check_outstanding(std::uint32_t train, std::uint64_t most) {
  nvls_options options;
  options.train = train;
  multimem_bench bench(options, most);
  std::vector<tensor_bytes> tensors;
  rank_inputs operands;
  constexpr std::uint32_t bytes = 50'002;  // ends in the middle of a packet and of a block
  for (std::uint64_t rank = 0; rank < 4; ++rank) {
    tensors.emplace_back(bytes);
    fill_random(dtype::fp16, tensors.back().data(), bytes / 2, 3, rank);
    bench.fill(static_cast<int>(rank), 0x106, tensors.back().data(), bytes);
  }
  for (const auto& each : tensors) operands.push_back(each.data());
  bench.at(0, [&] {
    bench.start(2, all_reduce, region + 0x106, region + 0x106, bytes, fp16);
    bench.await(2, 1);
  });
  bench.run();
  const auto expected = golden_tree_allreduce(dtype::fp16, reduce_op::sum, operands, bytes / 2);
  for (int rank = 0; rank < 4; ++rank) CHECK(bench.bytes_of(rank, 0x106, bytes) == expected);
  CHECK(bench.statistic_of(*bench.units[2], "peak_outstanding") <= most);
  CHECK(bench.statistic_of(*bench.units[2], "stalls") > 0);
  CHECK(bench.failures().empty());
}

}  // namespace

TEST_CASE("no more packets are outstanding than allowed") {
  check_outstanding(1, 40);
}
TEST_CASE("no more packets are outstanding than allowed: longer trains than that") {
  check_outstanding(32, 20);
}
TEST_CASE("no more packets are outstanding than allowed: one") {
  check_outstanding(32, 1);
}

namespace {

// The network of the bench carries 128 B in a packet.
void check_packets(std::uint32_t train, std::uint64_t packet, std::uint64_t requests) {
  nvls_options options;
  options.train = train;
  multimem_bench bench(options, 2048, packet);
  for (int rank = 0; rank < 4; ++rank) {
    const std::vector<float> mine(64, static_cast<float>(rank));
    bench.fill(rank, 0, mine.data(), 256);
  }
  bench.at(0, [&] {
    bench.start(0, all_reduce, region, region, 256);
    bench.await(0, 1);
  });
  bench.run();
  for (int rank = 0; rank < 4; ++rank) CHECK(bench.word_of<float>(rank, 252) == 6.0F);
  CHECK(bench.statistic_of(*bench.nis[0], "requests") == requests);
  CHECK(bench.failures().empty());
}

}  // namespace

TEST_CASE("packets of multimem may be smaller than those of the network") {
  check_packets(1, 64, 8);
}
TEST_CASE("packets of multimem may be smaller than those of the network: in trains") {
  check_packets(32, 64, 8);
}
TEST_CASE("packets of multimem are never larger than those of the network") {
  check_packets(32, 256, 4);
}

TEST_CASE("operations that make no sense are refused, and left by a reset") {
  multimem_bench bench;
  std::vector<std::uint32_t> states, reasons;
  std::uint32_t after = 9;
  bench.at(0, [&] {
    const auto attempt = [&](std::uint32_t kind, std::uint32_t bytes, std::uint32_t dtype,
                             std::uint32_t op) {
      bench.start(0, kind, region, region, bytes, dtype, op);
      states.push_back(bench.state(0));
      reasons.push_back(bench.reason(0));
      bench.set(0, 0x34, 1);
    };
    attempt(4, 128, fp32, sum);
    attempt(all_reduce, 0, fp32, sum);
    attempt(all_reduce, 6, fp32, sum);
    attempt(all_reduce, 128, 4, sum);
    attempt(all_reduce, 128, fp32, 3);
    bench.start(0, all_reduce, region, region, 128);
    bench.await(0, 1);
    after = bench.state(0);
  });
  bench.run();
  CHECK(states == std::vector<std::uint32_t>(5, error));
  CHECK(reasons == std::vector<std::uint32_t>(5, bad_operation));
  CHECK(after == idle);
}

TEST_CASE("what the network refuses is a bus error, and the next operation works") {
  nvls_options options;
  options.mapped = 0x8000;
  multimem_bench bench(options, 64);
  std::uint32_t state = 9, reason = 9, after = 9;
  const std::vector<float> ones(1024, 1.0F);
  for (int rank = 0; rank < 4; ++rank) bench.fill(rank, 0, ones.data(), 4096);
  bench.at(0, [&] {
    bench.start(0, all_reduce, region + 0x6000, region + 0x6000, 0x8000);  // half of it is outside
    sc_core::wait(to_sc_time(3 * fs_per_us));
    state = bench.state(0);
    reason = bench.reason(0);
    bench.set(0, 0x34, 1);
    bench.start(0, all_reduce, region, region, 4096);
    bench.await(0, 1);
    after = bench.state(0);
  });
  bench.run();
  CHECK(state == error);
  CHECK(reason == bus_error);
  CHECK(after == idle);
  for (int rank = 0; rank < 4; ++rank) CHECK(bench.word_of<float>(rank, 4092) == 4.0F);
  CHECK(bench.failures().empty());
}

TEST_CASE("a start while busy is refused and disturbs nothing") {
  multimem_bench bench;
  std::uint32_t state = 9, reason = 9, completed = 9;
  bench.at(0, [&] {
    bench.start(0, all_reduce, region, region, 4096);
    bench.set(0, 0x28, 1);
    state = bench.state(0);
    reason = bench.reason(0);
    sc_core::wait(to_sc_time(10 * fs_per_us));
    completed = bench.completed(0);
  });
  bench.run();
  CHECK(state == busy);
  CHECK(reason == started_while_busy);
  CHECK(completed == 1);
  CHECK(bench.units[0]->waiting_for().empty());
}

TEST_CASE("times are the same without data") {
  nvls_options options;
  options.carries_data = false;
  multimem_bench bench(options);
  bool is_exact = false;
  bench.at(0, [&] {
    bench.start(0, all_reduce, region, region, 128);
    is_exact = bench.completes_exactly_at(0, 1, load + store);
  });
  bench.run();
  CHECK(is_exact);
  CHECK(bench.failures().empty());
}
