// The GEMM engine of a cluster: exact cycles and bits, what it refuses, and how its FPUs are
// shared. `start` is written at time 0: the first operation is that of cycle 1.
#include "models/mesh/gemm/gemm_engine.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "models/memory/memory.hpp"
#include "models/mesh/collective/functional_unit.hpp"
#include "models/vector/vector.hpp"
#include "platform/unit/energy_book.hpp"
#include "tests/fidelity/forked_runs.hpp"
#include "tests/support/memory_initiator.hpp"
#include "tests/support/test_bench.hpp"
#include "transactors/bus/bus.hpp"

using namespace heddle;

namespace {

constexpr fs_t ns = fs_per_ns;
constexpr std::uint64_t engine_registers = 0x100000, vector_registers = 0x110000;
constexpr std::uint64_t a_at = 0x0, b_at = 0x2000, c_at = 0x4000;
constexpr std::uint32_t idle = 0, error = 2;

// A router that asks for an addition as often as it may, from a cycle on.
class borrower final : public unit {
 public:
  borrower(const unit_context& context, cycle_t first, int requests)
      : unit(context), port_(*this, clock_, "offload", 16), first_(first), left_(requests) {
    sim().service<clock_domains>().with_period(ns).join(*this, clock_);
  }
  void on_connected() override {
    if (left_ > 0) clock_.wake(first_);
  }
  void evaluate(cycle_t now) {
    while (port_.has_result(now)) {
      port_.take_result();
      results.push_back(now);
    }
    if (left_ == 0 || now < first_ || !port_.can_request(now)) return;
    port_.request({}, now);
    if (--left_ > 0) clock_.wake(now + 1);
  }
  std::vector<cycle_t> results;

 private:
  clock_member clock_;
  offload_initiator_port port_;
  cycle_t first_;
  int left_;
};

struct engine_bench : test_bench {
  memory_bus& bus = add<memory_bus>("bus");
  memory& l1 = add<memory>("l1", [](memory_parameters& p) {
    p.size.set({128 * 1024});
    p.latency.set({0});
    p.rate.set(bandwidth(256'000'000'000));
  });
  memory_initiator& core = add_stimulus<memory_initiator>("core");
  functional_unit& fpus = add<functional_unit>("fpus");
  gemm_engine& engine = add<gemm_engine>("engine");
  vector_unit& vector = add<vector_unit>("vector", [](vector_parameters& p) {
    p.rate.set(bandwidth(64'000'000'000));
    p.latency.set({3 * ns});
    p.block.set({64});
  });
  borrower& router;

  explicit engine_bench(cycle_t first = 0, int requests = 0)
      : router(add_stimulus<borrower>("router", first, requests)) {
    bind(core, "bus", bus, "in");
    bind(engine, "memory", bus, "in");
    bind(engine, "fpus", fpus, "issue");
    bind(vector, "memory", bus, "in");
    bind(vector, "fpus", fpus, "issue");
    bind(router, "offload", fpus, "port");
    map(bus, 0, 128 * 1024, l1, "in");
    map(bus, engine_registers, 0x1000, engine, "registers");
    map(bus, vector_registers, 0x1000, vector, "registers");
  }

  template <class T>
  void write(std::uint64_t address, T value) {
    core.write(address, &value, sizeof value);
  }
  std::uint32_t read(std::uint64_t offset) {
    std::uint32_t value = 0;
    core.read(engine_registers + offset, &value, sizeof value);
    return value;
  }
  void start(std::uint32_t rows, std::uint32_t columns, std::uint32_t depth, std::uint32_t op = 0,
             std::uint64_t a = a_at) {
    write(engine_registers + 0x8, a);
    write(engine_registers + 0x10, b_at);
    write(engine_registers + 0x18, c_at);
    write(engine_registers + 0x20, rows);
    write(engine_registers + 0x24, columns);
    write(engine_registers + 0x28, depth);
    write(engine_registers + 0x2c, op);
    write(engine_registers + 0x30, std::uint32_t{1});
  }
  void sum(std::uint32_t elements) {
    write(vector_registers + 0x8, c_at);
    write(vector_registers + 0x10, a_at);
    write(vector_registers + 0x18, elements);
    write(vector_registers + 0x1c, std::uint32_t{4});  // fp64, sum
    write(vector_registers + 0x20, std::uint32_t{1});
  }
  // The time at which the counter has that value, looked at every cycle.
  fs_t await(std::uint64_t counter, std::uint32_t count) {
    std::uint32_t value = 0;
    while (core.read(counter, &value, sizeof value), value != count) sc_core::wait(to_sc_time(ns));
    return now_fs();
  }
  void fill(std::uint64_t address, std::vector<double> values) {
    core.debug(tlm::TLM_WRITE_COMMAND, address, values.data(),
               static_cast<std::uint32_t>(values.size() * sizeof(double)));
  }
  std::vector<double> content(std::uint64_t address, std::size_t elements) {
    std::vector<double> values(elements);
    core.debug(tlm::TLM_READ_COMMAND, address, values.data(),
               static_cast<std::uint32_t>(elements * sizeof(double)));
    return values;
  }
};

constexpr std::uint64_t engine_completed = engine_registers + 0x34;
constexpr std::uint64_t vector_completed = vector_registers + 0x24;

struct tile_shape {
  std::uint32_t rows, columns, depth;
};

fs_t time_of(const tile_shape& shape) {
  engine_bench b;
  fs_t done = 0;
  b.thread([&] {
    b.start(shape.rows, shape.columns, shape.depth);
    done = b.await(engine_completed, 1);
  });
  b.run();
  return done;
}

struct shared_time {
  fs_t done;
  std::uint64_t waits;
};

// A sum of 256 doubles, from 20 ns on.
shared_time time_of_sum(int requests) {
  engine_bench b(0, requests);
  fs_t done = 0;
  b.thread([&] {
    sc_core::wait(to_sc_time(20 * ns));
    b.sum(256);
    done = b.await(vector_completed, 1);
  });
  b.run();
  return {done, b.fpus.count().core_waits.raw()};
}

}  // namespace

TEST_CASE("a tile takes its operations at 98.1 % of 16 a cycle, after one cycle") {
  const std::vector<tile_shape> shapes = {
      {1, 1, 1},     // 2 operations of 15.696 a cycle
      {2, 2, 2},     // 16
      {3, 5, 7},     // 210: 13.4 cycles
      {16, 16, 2},   // 1024: 65.2
      {16, 16, 16},  // 8192: 521.9, as Eq 8
  };
  CHECK(forked_runs(shapes, time_of) ==
        std::vector<fs_t>{2 * ns, 3 * ns, 15 * ns, 67 * ns, 523 * ns});
}

TEST_CASE("each element is one chain of fused multiply-adds, from 0 or from C") {
  constexpr std::uint32_t rows = 2, columns = 3, depth = 4;
  engine_bench b;
  std::vector<double> a, matrix, c;
  for (std::uint32_t i = 0; i < rows * depth; ++i) a.push_back(1 / (3.0 + i));
  for (std::uint32_t i = 0; i < depth * columns; ++i) matrix.push_back(1e3 / (7.0 - i));
  for (std::uint32_t i = 0; i < rows * columns; ++i) c.push_back(1e-3 * i);
  std::vector<double> fresh(rows * columns, 0), more;
  const auto accumulate = [&](std::vector<double>& to) {
    for (std::uint32_t i = 0; i < rows; ++i)
      for (std::uint32_t j = 0; j < columns; ++j)
        for (std::uint32_t k = 0; k < depth; ++k)
          to[i * columns + j] =
              std::fma(a[i * depth + k], matrix[k * columns + j], to[i * columns + j]);
  };
  accumulate(fresh);
  more = fresh;
  accumulate(more);
  std::vector<double> set, added;
  b.thread([&] {
    b.fill(a_at, a);
    b.fill(b_at, matrix);
    b.fill(c_at, c);
    b.start(rows, columns, depth);
    CHECK(b.content(c_at, c.size()) == c);  // until it has ended
    b.await(engine_completed, 1);
    set = b.content(c_at, c.size());
    b.start(rows, columns, depth, 1);
    b.await(engine_completed, 2);
    added = b.content(c_at, c.size());
  });
  b.run();
  CHECK(set == fresh);
  CHECK(added == more);
  CHECK(b.engine.count().multiply_adds.raw() == 48);
  const energy_shares energy = b.sim.service<energy_book>().shares();
  CHECK(total_joules(energy) == Approx(48 * 24.6e-12));
}

TEST_CASE("what it cannot do stops the engine until it is reset") {
  engine_bench b;
  b.thread([&] {
    b.start(4, 0, 4);
    CHECK(b.read(0x38) == (error | 1U << 4));  // bad operation
    b.write(engine_registers + 0x3c, std::uint32_t{1});
    CHECK(b.read(0x38) == idle);
    b.start(4, 4, 4, 0, 128 * 1024 - 8);
    CHECK(b.read(0x38) == (error | 2U << 4));  // bus
    b.write(engine_registers + 0x3c, std::uint32_t{1});
    b.start(4, 4, 4);
    b.write(engine_registers + 0x30, std::uint32_t{1});
    CHECK(b.read(0x38) == (1 | 3U << 4));  // busy, started meanwhile
    b.await(engine_completed, 1);
  });
  b.run();
  CHECK(b.engine.count().errors.raw() == 3);
  CHECK(b.engine.count().operations.raw() == 1);
}

// 66 cycles, from 1 on. Asked for in cycle 10, an operation is here in 11 and its result in 14.
TEST_CASE("a router borrows every second cycle of a tile at most, which ends so much later") {
  engine_bench b(10, 10);
  fs_t done = 0;
  b.thread([&] {
    b.start(16, 16, 2);
    done = b.await(engine_completed, 1);
  });
  b.run();
  CHECK(done == (1 + 66 + 10) * ns);
  std::vector<cycle_t> every_second;
  for (cycle_t cycle = 14; every_second.size() < 10; cycle += 2) every_second.push_back(cycle);
  CHECK(b.router.results == every_second);
  CHECK(b.fpus.count().borrowed.raw() == 10);
  CHECK(b.fpus.count().waits.raw() == 9);
  CHECK(b.engine.count().borrowed.raw() == 10 * ns);
}

TEST_CASE("a router that borrows idle FPUs has one operation a cycle and delays nobody") {
  engine_bench b(100, 10);
  fs_t done = 0;
  b.thread([&] {
    b.start(16, 16, 2);
    done = b.await(engine_completed, 1);
  });
  b.run();
  CHECK(done == 67 * ns);
  CHECK(b.router.results.front() == 104);
  CHECK(b.router.results.back() == 113);
  CHECK(b.fpus.count().borrowed.raw() == 0);
  CHECK(b.fpus.count().waits.raw() == 0);
}

// 32 blocks, a cycle each, the first of them when the FPUs are already busy; then they take turns.
TEST_CASE("a vector unit and a router take turns at the FPUs") {
  const std::vector<int> requests = {0, 200};
  const std::vector<shared_time> got = forked_runs(requests, time_of_sum);
  CHECK(got[0].waits == 0);
  CHECK(got[1].waits == 32);
  CHECK(got[1].done == got[0].done + 32 * ns);
}
