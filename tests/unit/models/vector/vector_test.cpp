#include "models/vector/vector.hpp"

#include <catch2/catch.hpp>
#include <functional>

#include "models/memory/memory.hpp"
#include "platform/contracts/register_audit.hpp"
#include "tests/support/memory_initiator.hpp"
#include "tests/support/played_firmware.hpp"
#include "tests/support/statistic_of.hpp"
#include "tests/support/test_bench.hpp"
#include "transactors/bus/bus.hpp"

using namespace heddle;

namespace {

constexpr std::uint64_t registers = 0x1000'0000;
constexpr std::uint32_t fp32 = 2, int32 = 3, fp64 = 4, sum = 0, max = 2;
constexpr std::uint32_t idle = 0, busy = 1, error = 2;
constexpr std::uint32_t bad_operation = 1, bus_error = 2, started_while_busy = 3;

// Memory: 1 MiB, 100 ns, 1 B/ps. Vector unit: 50 ns and a rate that the test chooses.
struct vector_bench : test_bench {
  memory_bus& bus = add<memory_bus>("bus");
  memory& ram = add<memory>("ram", [](memory_parameters& p) {
    p.size.set({1 << 20});
    p.latency.set({100 * fs_per_ns});
    p.rate.set(bandwidth(1'000'000'000'000));
  });
  memory_initiator& core = add_stimulus<memory_initiator>("core");
  vector_unit& vector;

  explicit vector_bench(std::uint64_t rate = 10'000'000'000, std::uint64_t block = 4096)
      : vector(add<vector_unit>("vector", [rate, block](vector_parameters& p) {
          p.rate.set(bandwidth(rate));
          p.block.set({block});
          p.latency.set({50 * fs_per_ns});
        })) {
    bind(core, "bus", bus, "in");
    bind(vector, "memory", bus, "in");
    map(bus, 0, 1 << 20, ram, "in");
    map(bus, registers, 0x1000, vector, "registers");
  }
  void set(std::uint64_t offset, std::uint64_t value, std::uint32_t bytes = 4) {
    core.write(registers + offset, &value, bytes);
  }
  std::uint32_t get(std::uint64_t offset) {
    std::uint32_t value = 0;
    core.read(registers + offset, &value, 4);
    return value;
  }
  void prepare(std::uint64_t destination, std::uint64_t source, std::uint32_t elements,
               std::uint32_t dtype, std::uint32_t op) {
    set(0x8, destination, 8);
    set(0x10, source, 8);
    set(0x18, elements);
    set(0x1c, dtype | op << 4);
  }
  template <class T>
  void fill(std::uint64_t address, std::vector<T> values) {
    core.debug(tlm::TLM_WRITE_COMMAND, address, values.data(),
               static_cast<std::uint32_t>(values.size() * sizeof(T)));
  }
  template <class T>
  std::vector<T> values(std::uint64_t address, std::size_t count) {
    std::vector<T> got(count);
    core.debug(tlm::TLM_READ_COMMAND, address, got.data(),
               static_cast<std::uint32_t>(count * sizeof(T)));
    return got;
  }
  std::uint32_t state() { return get(0x28) & 3; }
  std::uint32_t reason() { return get(0x28) >> 4; }
  bool completes_exactly_at(std::uint32_t count, fs_t when) {
    sc_core::wait(to_sc_time(when - 1 - now_fs()));
    const bool was_too_early = get(0x24) >= count;
    sc_core::wait(to_sc_time(2));
    return !was_too_early && get(0x24) == count;
  }
};

// What `ask` does leaves the unit in the error state, because of the operation.
void check_refused(vector_bench& bench, const std::function<void()>& ask) {
  std::uint32_t state = 9, reason = 9;
  bench.at(0, [&] {
    ask();
    state = bench.state();
    reason = bench.reason();
  });
  bench.run();
  CHECK(state == error);
  CHECK(reason == bad_operation);
}

}  // namespace

TEST_CASE("an operation takes its latency and rate and then writes") {
  vector_bench bench;  // 1.6 ns for 16 B
  bool is_exact = false;
  std::uint32_t during = 9, after = 9;
  bench.at(1000, [&] {
    bench.fill<float>(0x1000, {1.5F, 2.5F, -1.0F, 0.0F});
    bench.fill<float>(0x2000, {0.5F, 0.25F, 1.0F, 7.0F});
    bench.prepare(0x1000, 0x2000, 4, fp32, sum);
    bench.set(0x20, 1);
    during = bench.state();
    // Both operands come over the memory's bus; then the pipeline and 16 B at the unit's rate; then
    // the write.
    const fs_t read = 100 * fs_per_ns + 32'000;
    const fs_t computed = 50 * fs_per_ns + 1'600'000;
    const fs_t written = 100 * fs_per_ns + 16'000;
    is_exact = bench.completes_exactly_at(1, 1000 + read + computed + written);
    after = bench.state();
  });
  bench.run();
  CHECK(is_exact);
  CHECK(during == busy);
  CHECK(after == idle);
  CHECK(bench.values<float>(0x1000, 4) == std::vector<float>{2.0F, 2.75F, 0.0F, 7.0F});
}

TEST_CASE("a slow unit takes as long as its rate says") {
  vector_bench bench(1'000'000'000);  // 1 B/ns
  bool is_exact = false;
  bench.at(0, [&] {
    bench.fill<std::int32_t>(0x1000, std::vector<std::int32_t>(256, -5));
    bench.fill<std::int32_t>(0x2000, std::vector<std::int32_t>(256, 3));
    bench.prepare(0x1000, 0x2000, 256, int32, max);
    bench.set(0x20, 1);
    const fs_t read = 100 * fs_per_ns + 2 * 1024 * 1000;
    const fs_t computed = (50 + 1024) * fs_per_ns;
    const fs_t written = 100 * fs_per_ns + 1024 * 1000;
    is_exact = bench.completes_exactly_at(1, read + computed + written);
  });
  bench.run();
  CHECK(is_exact);
  CHECK(bench.values<std::int32_t>(0x1000, 256) == std::vector<std::int32_t>(256, 3));
}

TEST_CASE("blocks stream: reading, computing and writing overlap") {
  vector_bench bench(1'000'000'000);  // 1 B/ns, so a block of 4 KiB passes in 4096 ns
  bool is_exact = false;
  bench.at(0, [&] {
    bench.fill<std::int32_t>(0x1000, std::vector<std::int32_t>(3072, 1));
    bench.fill<std::int32_t>(0x8000, std::vector<std::int32_t>(3072, 2));
    bench.prepare(0x1000, 0x8000, 3072, int32, sum);
    bench.set(0x20, 1);
    // The third block enters after two have passed.
    const fs_t read = 100 * fs_per_ns + 2 * 4096 * 1000;
    const fs_t computed = (50 + 4096) * fs_per_ns;
    const fs_t written = 100 * fs_per_ns + 4096 * 1000;
    is_exact = bench.completes_exactly_at(1, 2 * 4096 * fs_per_ns + read + computed + written);
  });
  bench.run();
  CHECK(is_exact);
  CHECK(bench.values<std::int32_t>(0x1000, 3072) == std::vector<std::int32_t>(3072, 3));
}

TEST_CASE("a block holds whole elements of any type") {
  vector_bench bench(10'000'000'000, 100);
  constexpr std::uint32_t elements = 40;
  bench.at(0, [&] {
    bench.fill<double>(0x1000, std::vector<double>(elements, 1.5));
    bench.fill<double>(0x2000, std::vector<double>(elements, 0.25));
    bench.prepare(0x1000, 0x2000, elements, fp64, sum);
    bench.set(0x20, 1);
  });
  bench.run();
  CHECK(bench.values<double>(0x1000, elements) == std::vector<double>(elements, 1.75));
}

TEMPLATE_TEST_CASE_SIG("an operation over more than 4 GiB goes as far as memory does", "",
                       ((std::uint32_t elements), elements), 0x20000000, 0x20000008, 0x40000000) {
  vector_bench bench;
  bench.at(0, [&] {
    bench.prepare(0, 0, elements, fp64, max);
    bench.set(0x20, 1);
  });
  bench.run();
  std::uint32_t status = 0, completed = 9;
  const auto look = [&](std::uint64_t at, std::uint32_t& into) {
    bench.core.debug(tlm::TLM_READ_COMMAND, registers + at, &into, 4);
  };
  look(0x28, status);
  look(0x24, completed);
  CHECK(status == (error | bus_error << 4));
  CHECK(completed == 0);
}

TEST_CASE("an error is left by a reset") {
  vector_bench bench;
  std::uint32_t state = 9, reason = 9;
  bench.at(0, [&] {
    bench.prepare(0x1000, 0x2000, 0, fp32, sum);
    bench.set(0x20, 1);
    bench.set(0x2c, 1);
    state = bench.state();
    reason = bench.reason();
  });
  bench.run();
  CHECK(state == idle);
  CHECK(reason == 0);
}

TEST_CASE("a start after an error is refused until a reset") {
  vector_bench bench;
  check_refused(bench, [&] {
    bench.prepare(0x1000, 0x2000, 0, fp32, sum);
    bench.set(0x20, 1);
    bench.prepare(0x1000, 0x2000, 1, fp32, sum);
    bench.set(0x20, 1);
  });
}

TEST_CASE("blocks of a failed operation do not count for the next") {
  // 1 B/ns: the second block fails at 4096 ns and leaves the memory's bus at 4200 ns; the first is
  // in the pipeline until 4254 ns.
  vector_bench bench(1'000'000'000);
  std::uint32_t failed = 9, after = 9;
  bool is_exact = false;
  bench.at(0, [&] {
    bench.fill<std::int32_t>(0x1000, std::vector<std::int32_t>(1024, 1));
    bench.prepare(0x8000, (1 << 20) - 4096, 3072, int32, sum);
    bench.set(0x20, 1);
    sc_core::wait(to_sc_time(4210 * fs_per_ns));
    failed = bench.state();
    bench.set(0x2c, 1);
    bench.fill<std::int32_t>(0x2000, std::vector<std::int32_t>(1024, 2));
    bench.prepare(0x1000, 0x2000, 1024, int32, sum);
    const fs_t start = now_fs();
    bench.set(0x20, 1);
    const fs_t read = 100 * fs_per_ns + 2 * 4096 * 1000;
    const fs_t computed = (50 + 4096) * fs_per_ns;
    const fs_t written = 100 * fs_per_ns + 4096 * 1000;
    is_exact = bench.completes_exactly_at(1, start + read + computed + written);
    after = bench.state();
  });
  bench.run();
  CHECK(failed == error);
  CHECK(is_exact);
  CHECK(after == idle);
  CHECK(bench.values<std::int32_t>(0x1000, 1024) == std::vector<std::int32_t>(1024, 3));
}

TEST_CASE("operations that make no sense are refused") {
  vector_bench bench;
  check_refused(bench, [&] {
    bench.prepare(0x1000, 0x2000, 0, fp32, sum);
    bench.set(0x20, 1);
  });
}

TEST_CASE("operands that nobody holds are a bus error") {
  vector_bench bench;
  std::uint32_t state = 9, reason = 9;
  bench.at(0, [&] {
    bench.prepare(0x1000, 0x20'0000, 4, fp32, sum);
    bench.set(0x20, 1);
    state = bench.state();
    reason = bench.reason();
  });
  bench.run();
  CHECK(state == error);
  CHECK(reason == bus_error);
  CHECK(bench.sim.service<register_audit_log>().last().reason ==
        "bus error: read of 16 B at 0x200000: TLM_ADDRESS_ERROR_RESPONSE");
}

TEST_CASE("a start while busy is refused and disturbs nothing") {
  vector_bench bench;
  std::uint32_t state = 9, reason = 9, completed = 9, after_reset = 9;
  bench.at(0, [&] {
    bench.fill<std::int32_t>(0x1000, {1});
    bench.fill<std::int32_t>(0x2000, {2});
    bench.prepare(0x1000, 0x2000, 1, int32, sum);
    for (int i = 0; i < 3; ++i) bench.set(0x20, 1);
    state = bench.state();
    reason = bench.reason();
    sc_core::wait(to_sc_time(fs_per_us));
    completed = bench.get(0x24);
    bench.set(0x2c, 1);
    after_reset = bench.reason();
  });
  bench.run();
  CHECK(state == busy);
  CHECK(reason == started_while_busy);
  CHECK(after_reset == 0);
  CHECK(completed == 1);
  CHECK(bench.values<std::int32_t>(0x1000, 1) == std::vector<std::int32_t>{3});
}

TEMPLATE_TEST_CASE_SIG("the unit owns all that an operation reads and writes until it is over", "",
                       ((int which), which), 0, 1, 2) {
  constexpr auto source = buffer_use::source, destination = buffer_use::destination;
  constexpr std::uint32_t quantize = 3, dequantize = 4;
  constexpr std::uint32_t int4_in_blocks_of_32 = 1U << 8 | 5U << 9, in_lines = 1U << 14;
  struct example {
    std::uint32_t elements, op, more;
    std::vector<owned_buffer> owned;
  };
  const example examples[] = {
      {65,
       quantize,
       int4_in_blocks_of_32,
       {{destination, 0x1000, 33}, {source, 0x2000, 260}, {destination, 0x3000, 6}}},
      {65,
       dequantize,
       int4_in_blocks_of_32,
       {{destination, 0x1000, 260}, {source, 0x2000, 33}, {source, 0x3000, 6}}},
      {31, sum, in_lines, {{destination, 0x1000, 124}, {source, 0x2000, 256}}}};
  const example& chosen = examples[which];
  vector_bench bench;
  played_firmware firmware(bench.core);
  std::vector<owned_buffer> owned;
  bench.at(0, [&] {
    bench.prepare(0x1000, 0x2000, chosen.elements, fp32, chosen.op);
    bench.set(0x1c, fp32 | chosen.op << 4 | chosen.more);
    bench.set(0x30, 0x3000, 8);
    firmware.write(registers + 0x20, 1);
    owned = owned_buffers(bench.sim);
  });
  bench.run();
  CHECK(owned == chosen.owned);
  CHECK(owned_buffers(bench.sim).empty());
}

// 31 elements in two lines of 120 B, each with its flag behind them. The second one has not come
// when the operation starts first.
TEST_CASE("a message is reduced once its last line is there, and until then counts as incomplete") {
  constexpr std::uint32_t elements = 31, in_lines = 1U << 14, of_line = 30;
  constexpr std::uint64_t flag = 0x1234'5678'9abc'def0, message = 0x2000;
  vector_bench bench;
  std::vector<std::uint32_t> missing;
  std::vector<float> untouched;
  bench.at(0, [&] {
    bench.fill<float>(0x1000, std::vector<float>(elements, 2.0F));
    bench.fill<float>(message, std::vector<float>(of_line, 0.5F));
    bench.fill<std::uint64_t>(message + 120, {flag});
    bench.fill<float>(message + 128, {4.0F});
    bench.prepare(0x1000, message, elements, fp32, sum);
    bench.set(0x1c, fp32 | sum << 4 | in_lines);
    bench.set(0x38, flag, 8);
    for (int tries = 0; tries < 2; ++tries) {
      bench.set(0x20, 1);
      sc_core::wait(to_sc_time(fs_per_us));
      missing.push_back(bench.get(0x40));
      if (tries == 0) untouched = bench.values<float>(0x1000, elements);
      bench.fill<std::uint64_t>(message + 128 + 120, {flag});
    }
  });
  bench.run();
  CHECK(missing == std::vector<std::uint32_t>{2, 0});
  CHECK(untouched == std::vector<float>(elements, 2.0F));
  std::vector<float> sums(of_line, 2.5F);
  sums.push_back(6.0F);
  CHECK(bench.values<float>(0x1000, elements) == sums);
  CHECK(statistic_of(bench.vector, "operations") == 2);
  CHECK(statistic_of(bench.vector, "incomplete") == 1);
  CHECK(statistic_of(bench.vector, "bytes") == 4 * elements);
  CHECK(statistic_of(bench.vector, "elements") == elements);
}
