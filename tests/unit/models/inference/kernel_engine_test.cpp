// The kernel engine on real sockets: exact times by the law of its rates, and what it refuses.
#include "models/gpu/kernels/kernel_engine.hpp"

#include <catch2/catch.hpp>

#include "models/memory/memory.hpp"
#include "tests/support/memory_initiator.hpp"
#include "tests/support/test_bench.hpp"
#include "transactors/bus/bus.hpp"

using namespace heddle;

namespace {

constexpr fs_t ns = fs_per_ns;
constexpr std::uint64_t registers = 0x100000, list_at = 0x1000;

struct watcher final : kernel_listener {
  struct span {
    fs_t begin, end;
  };
  void list_begins(std::uint32_t, std::uint32_t with, fs_t when) override {
    tag = with;
    begin = when;
  }
  void kernel_ended(std::uint32_t engine, std::uint32_t, std::uint32_t, fs_t from,
                    fs_t to) override {
    number = engine;
    kernels.push_back({from, to});
    if (over) over->notify(sc_core::SC_ZERO_TIME);
  }
  void list_ended(std::uint32_t, std::uint32_t, fs_t when) override { end = when; }

  std::vector<span> kernels;
  sc_core::sc_event* over = nullptr;  // of a test that waits for kernels
  std::uint32_t tag = 0, number = 0;
  fs_t begin = 0, end = 0;
};

struct engine_bench : test_bench {
  memory_bus& bus = add<memory_bus>("bus");
  memory& store = add<memory>("store", [](memory_parameters& p) {
    p.size.set({64 * 1024});
    p.latency.set({100 * ns});
  });
  memory_initiator& core = add_stimulus<memory_initiator>("core");
  kernel_engine& engine = add<kernel_engine>("engine", [](kernel_engine_parameters& p) {
    p.sms.set(4);
    p.tflops.set(4);
    p.tflops_fp8.set(8);
    p.efficiency.set(0.5);
    p.l2_bandwidth.set(bandwidth(400'000'000'000));
    p.l2_port.set(bandwidth(200'000'000'000));
    p.hbm.set(bandwidth(100'000'000'000));
    p.hbm_efficiency.set(1.0);
    p.hbm_latency.set({250 * ns});
    p.ramp.set({30 * ns});
  });
  watcher seen;

  engine_bench() {
    bind(core, "bus", bus, "in");
    bind(engine, "memory", bus, "in");
    map(bus, 0, 64 * 1024, store, "in");
    map(bus, registers, 0x1000, engine, "registers");
    engine.tell(&seen, 7);
  }
  void run_list(const std::vector<kernel_descriptor>& kernels, std::uint32_t count) {
    thread([this, kernels, count] {
      std::vector<kernel_descriptor> copy = kernels;
      core.write(list_at, copy.data(),
                 static_cast<std::uint32_t>(copy.size() * sizeof(kernel_descriptor)));
      write64(0x8, list_at);
      write32(0x10, count);
      write32(0x14, 42);
      write32(0x18, 1);
    });
    run();
  }
  void write32(std::uint64_t offset, std::uint32_t value) {
    core.write(registers + offset, &value, sizeof value);
  }
  // Without simulated time.
  std::uint32_t read32(std::uint64_t offset) {
    std::uint32_t value = 0;
    core.debug(tlm::TLM_READ_COMMAND, registers + offset, &value, sizeof value);
    return value;
  }
  void write64(std::uint64_t offset, std::uint64_t value) {
    core.write(registers + offset, &value, sizeof value);
  }
};

kernel_descriptor kernel(std::uint64_t flops, std::uint64_t l2, std::uint64_t bytes,
                         std::uint32_t blocks, std::uint32_t precision = KERNEL_FP16) {
  kernel_descriptor of{};
  std::strcpy(of.name, "k");
  of.block_flops = flops;
  of.block_bytes = l2;
  of.bytes = bytes;
  of.blocks = blocks;
  of.precision = precision;
  return of;
}

}  // namespace

TEST_CASE("kernels follow each other and take what the roofline says") {
  engine_bench bench;
  kernel_descriptor measured = kernel(0, 0, 1, 1);
  measured.time = 777 * ns + 1;
  const std::vector<kernel_descriptor> kernels = {
      kernel(1'000'000, 0, 0, 9),              // 3 waves of 2 us: an SM does 0.5 TFLOPS
      kernel(1'000'000, 0, 0, 4, KERNEL_FP8),  // one wave of 1 us
      kernel(1, 100'000, 0, 5),                // 2 waves of 1 us: four SMs share 400 GB/s of L2
      kernel(1, 100'000, 0, 3),                // 750 ns: three SMs do
      kernel(1, 100'000, 0, 1),                // 500 ns: the port of one SM has 200 GB/s
      kernel(1, 0, 100'000, 8),                // 1 us behind 250 ns
      measured};
  bench.run_list(kernels, 7);
  const fs_t times[] = {6030 * ns, 1030 * ns, 2030 * ns,   780 * ns,
                        530 * ns,  1280 * ns, 777 * ns + 1};
  REQUIRE(bench.seen.kernels.size() == 7);
  for (std::size_t i = 0; i < 7; ++i) {
    INFO(i);
    CHECK(bench.seen.kernels[i].end - bench.seen.kernels[i].begin == times[i]);
    CHECK(bench.engine.rates().kernel_time(kernels[i]) == times[i]);
    if (i > 0) CHECK(bench.seen.kernels[i].begin == bench.seen.kernels[i - 1].end);
  }
  CHECK(bench.seen.tag == 42);
  CHECK(bench.seen.number == 7);
  CHECK(bench.seen.kernels[0].begin >= bench.seen.begin + 100 * ns);  // the list was read
  CHECK(bench.seen.end % ns == 0);                                    // ends in a tick
  CHECK(bench.seen.end - bench.seen.kernels.back().end < ns);
  CHECK(bench.failures().empty());
}

TEST_CASE("operations that results need are counted, not those of blocks") {
  engine_bench bench;
  kernel_descriptor padded = kernel(1'000'000, 0, 0, 9);
  padded.flops = 5'000'001;
  kernel_descriptor measured = kernel(0, 0, 1, 1);
  measured.time = 777 * ns;
  measured.flops = 3'000'000;
  bench.run_list({padded, measured, kernel(1, 0, 100, 1)}, 3);
  const auto& counters = static_cast<const kernel_engine_counters&>(*bench.engine.statistics());
  CHECK(counters.flops.raw() == 8'000'001);
  CHECK(counters.bytes.raw() == 101);
  CHECK(counters.kernels.raw() == 3);
}

TEST_CASE("an engine says what it waits for, also behind the last kernel of its list") {
  engine_bench bench;
  std::string during, behind, after;
  sc_core::sc_event kernel_over;
  bench.seen.over = &kernel_over;
  kernel_descriptor measured = kernel(0, 0, 1, 1);
  measured.time = 777 * ns + 1;
  bench.at(500 * ns, [&] { during = bench.engine.waiting_for(); });
  bench.thread([&] {
    sc_core::wait(kernel_over);
    behind = bench.engine.waiting_for();
    sc_core::wait(to_sc_time(ns));
    after = bench.engine.waiting_for();
  });
  bench.run_list({measured}, 1);
  CHECK(during == "kernel 1 of 1, k");
  CHECK(behind == "the tick that ends a list of 1 kernel");
  CHECK(after.empty());
}

TEST_CASE("a kernel without blocks is refused, and its list has ended") {
  engine_bench bench;
  bench.run_list({kernel(1, 1, 1, 1), kernel(1, 1, 1, 0)}, 2);
  CHECK(bench.seen.kernels.empty());
  CHECK(bench.read32(0x4) == 1);
  CHECK(bench.read32(0x1c) == 0x22);  // ERROR, BAD_KERNEL
}

TEMPLATE_TEST_CASE_SIG("a kernel of more time than is counted is refused", "", ((int which), which),
                       0, 1, 2, 3) {
  constexpr std::uint64_t many = UINT64_MAX;
  kernel_descriptor measured = kernel(1, 1, 1, 1);
  measured.time = many;
  const kernel_descriptor kernels[] = {measured, kernel(many, 0, 0, 1), kernel(0, many, 0, 1),
                                       kernel(0, 0, many, 1)};
  engine_bench bench;
  bench.run_list({kernels[which]}, 1);
  CHECK(bench.seen.kernels.empty());
  CHECK(bench.read32(0x1c) == 0x22);  // ERROR, BAD_KERNEL
}

TEST_CASE("a list that is longer than any is refused") {
  engine_bench bench;
  bench.run_list({kernel(1, 1, 1, 1)}, 257);
  CHECK(bench.seen.kernels.empty());
  CHECK(bench.read32(0x1c) == 0x12);  // ERROR, BAD_LIST
}
