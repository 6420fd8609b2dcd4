#include <catch2/catch.hpp>

#include "platform/yaml/parse.hpp"
#include "tests/support/played_firmware.hpp"
#include "tests/support/statistic_of.hpp"
#include "tests/unit/models/dma/dma_bench.hpp"

using namespace heddle;

namespace {

constexpr fs_t latency = dma_bench::latency, per_byte = dma_bench::per_byte,
               descriptor = dma_bench::descriptor;
constexpr std::uint64_t far_base = dma_bench::far_base;
constexpr std::uint32_t idle = 0, running = 1, fence = 2;

}  // namespace

TEST_CASE("a local copy reads its descriptor, its source and writes its destination") {
  dma_bench bench;
  bool is_exact = false;
  std::uint32_t during = 9, after = 9;
  bench.at(0, [&] {
    bench.fill(0x1000, 256, 3);
    bench.open(0);
    bench.post(0, 0, copy(0x1000, 0x2000, 256));
    bench.ring_doorbell(0, 1);
    during = bench.state(0);
    is_exact = bench.completes_exactly_at(0, 1, latency + descriptor + 2 * (latency + 256'000));
    after = bench.state(0);
  });
  bench.run();
  CHECK(is_exact);
  CHECK(during == running);
  CHECK(after == idle);
  CHECK(bench.local(0x2000, 256) == bench.local(0x1000, 256));
  CHECK(bench.local(0x2000, 1)[0] == 3);
  CHECK(bench.failures().empty());
}

// Inside of the write of the doorbell the engine asks for the descriptors.
TEST_CASE("a channel rings the doorbell of another one") {
  dma_bench bench([](dma_parameters& p) { p.local_size.set({far_base}); });
  bool is_exact = false;
  bench.at(0, [&] {
    bench.open(0);
    bench.open(1);
    bench.post(0, 0, word(1, dma_bench::registers + dma_bench::channel(1, 0xc), 4));
    bench.post(1, 0, word(0x42, 0x3000, 4));
    bench.ring_doorbell(0, 1);
    is_exact =
        bench.completes_exactly_at(1, 1, 2 * (latency + descriptor) + latency + 4 * per_byte);
  });
  bench.run();
  CHECK(is_exact);
  CHECK(bench.local(0x3000, 1)[0] == 0x42);
  CHECK(bench.failures().empty());
}

TEST_CASE("bursts overlap their latencies") {
  dma_bench bench;
  bool is_exact = false;
  bench.at(0, [&] {
    bench.open(0);
    bench.post(0, 0, copy(0x1000, 0x4000, 8192));
    bench.ring_doorbell(0, 1);
    // Both reads start at once and share the data bus; each write follows its read.
    is_exact =
        bench.completes_exactly_at(0, 1, latency + descriptor + 2 * latency + 3 * 4096 * per_byte);
  });
  bench.run();
  CHECK(is_exact);
}

TEST_CASE("a copy to far memory takes local data at burst boundaries of the far address") {
  dma_bench bench;
  bool is_exact = false;
  bench.far.accept = 0;
  bench.at(0, [&] {
    bench.fill(0x1000, 5000, 9);
    bench.open(0);
    bench.post(0, 0, copy(0x1000, far_base + 3000, 5000));
    bench.ring_doorbell(0, 1);
    is_exact = bench.completes_exactly_at(
        0, 1, latency + descriptor + latency + 5000 * per_byte + bench.far.respond);
  });
  bench.run();
  CHECK(is_exact);
  REQUIRE(bench.far.requests.size() == 2);
  CHECK(bench.far.requests[0].address == far_base + 3000);
  CHECK(bench.far.requests[0].bytes == 1096);
  CHECK(bench.far.requests[0].when == latency + descriptor + latency + 1096 * per_byte);
  CHECK(bench.far.requests[1].bytes == 3904);
  CHECK(bench.far.requests[1].is_write);
  CHECK(bench.distant(3000, 5000) == bench.local(0x1000, 5000));
  CHECK(bench.failures().empty());
}

TEST_CASE("a copy from far memory ends when its bytes are in local memory") {
  dma_bench bench;
  bool is_exact = false;
  const std::vector<unsigned char> pattern(512, 0x77);
  bench.far.bytes.write(0x100, pattern.data(), 512);
  bench.at(0, [&] {
    bench.open(2);
    bench.post(2, 0, copy(far_base + 0x100, 0x5000, 512));
    bench.ring_doorbell(2, 1);
    is_exact = bench.completes_exactly_at(
        2, 1,
        latency + descriptor + bench.far.accept + bench.far.respond + latency + 512 * per_byte);
  });
  bench.run();
  CHECK(is_exact);
  CHECK(bench.local(0x5000, 512) == pattern);
  CHECK(bench.failures().empty());
}

TEST_CASE("far requests follow each other one at a time") {
  dma_bench bench;
  bench.far.accept = fs_per_us;
  bench.at(0, [&] {
    bench.open(0);
    bench.post(0, 0, copy(far_base, 0x10000, 3 * 4096));
    bench.ring_doorbell(0, 1);
  });
  bench.run();
  REQUIRE(bench.far.requests.size() == 3);
  for (fs_t i = 0; i < 3; ++i)
    CHECK(bench.far.requests[i].when == latency + descriptor + i * fs_per_us);
  CHECK(bench.failures().empty());
}

TEST_CASE("a word that crosses a burst boundary is written as a whole") {
  constexpr std::uint64_t burst = 66, far_boundary = (far_base / burst + 1) * burst;
  dma_bench bench([](dma_parameters& p) { p.burst.set({burst}); });
  bench.at(0, [&] {
    bench.open(0);
    bench.post(0, 0, word(0x1122334455667788, far_boundary - 4, 8));
    bench.post(0, 1, word(0xaabbccdd, burst - 1, 4));
    bench.ring_doorbell(0, 2);
  });
  bench.run();
  REQUIRE(bench.far.requests.size() == 2);
  CHECK(bench.far.requests[0].bytes == 4);
  CHECK(bench.distant(far_boundary - 4 - far_base, 8) ==
        std::vector<unsigned char>{0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11});
  CHECK(bench.local(burst - 1, 4) == std::vector<unsigned char>{0xdd, 0xcc, 0xbb, 0xaa});
  CHECK(bench.failures().empty());
}

TEST_CASE("a fence holds a flag back until the data before it has arrived") {
  dma_bench bench;
  std::uint32_t while_waiting = 9;
  bench.at(0, [&] {
    bench.open(0);
    bench.post(0, 0, copy(0x1000, far_base, 64));
    bench.post(0, 1, word(0x1122334455667788, far_base + 0x1000, 8, DMA_FENCE));
    bench.ring_doorbell(0, 2);
    sc_core::wait(to_sc_time(350 * fs_per_ns));
    while_waiting = bench.state(0);
  });
  bench.run();
  REQUIRE(bench.far.requests.size() == 2);
  const fs_t data_done =
      latency + 2 * descriptor + latency + 64 * per_byte + bench.far.accept + bench.far.respond;
  CHECK(bench.far.requests[1].when == data_done);
  CHECK(while_waiting == fence);
  std::uint64_t flag = 0;
  bench.far.bytes.read(0x1000, &flag, 8);
  CHECK(flag == 0x1122334455667788);
  CHECK(bench.dma.statistics()->all()[3]->raw() ==
        data_done - (latency + 2 * descriptor));  // fence_wait
}

TEST_CASE("descriptors complete in ring order though a later one is faster") {
  dma_bench bench;
  std::uint32_t early = 9, late = 9;
  bench.at(0, [&] {
    bench.open(0);
    bench.post(0, 0, copy(0x1000, far_base, 64));  // slow
    bench.post(0, 1, copy(0x1000, 0x2000, 64));    // done sooner
    bench.ring_doorbell(0, 2);
    sc_core::wait(to_sc_time(450 * fs_per_ns));
    early = bench.completed(0);
    sc_core::wait(to_sc_time(fs_per_us));
    late = bench.completed(0);
  });
  bench.run();
  CHECK(early == 0);
  CHECK(late == 2);
}

TEST_CASE("the ring wraps and the counters run on") {
  dma_bench bench;
  std::vector<std::uint32_t> seen;
  bench.at(0, [&] {
    bench.open(0, 4);
    for (std::uint32_t round = 0; round < 10; ++round) {
      const std::uint32_t first = round * 3;
      for (std::uint32_t i = first; i < first + 3; ++i)
        bench.post(0, i % 4, word(i + 1, 0x3000 + 4 * i, 4));
      bench.ring_doorbell(0, first + 3);
      sc_core::wait(to_sc_time(2 * fs_per_us));
      seen.push_back(bench.completed(0));
    }
  });
  bench.run();
  for (std::uint32_t round = 0; round < 10; ++round) CHECK(seen[round] == 3 * round + 3);
  for (std::uint32_t i = 0; i < 30; ++i) CHECK(bench.local(0x3000 + 4 * i, 1)[0] == i + 1);
}

TEST_CASE("interrupts go up on completion and down when every bit is cleared") {
  dma_bench bench;
  bench.at(0, [&] {
    bench.set(0xc, 0x3);  // irq_enable: channels 0 and 1
    for (const int channel : {0, 1, 2}) {
      bench.open(channel);
      bench.post(channel, 0, word(1, 0x3000, 4, DMA_INTERRUPT));
      bench.ring_doorbell(channel, 1);
      sc_core::wait(to_sc_time(fs_per_us));
    }
    CHECK(bench.get(0x8) == 0x7);
    bench.set(0x8, 0x1);
    CHECK(bench.get(0x8) == 0x6);
    sc_core::wait(to_sc_time(fs_per_us));
    bench.set(0x8, 0x2);
    sc_core::wait(to_sc_time(fs_per_us));
    bench.set(0xc, 0x4);  // channel 2 waits already
  });
  bench.run();
  const fs_t done = 2 * latency + descriptor + 4 * per_byte;
  CHECK(bench.irq.changes == std::vector<std::pair<fs_t, bool>>{
                                 {done, true}, {4 * fs_per_us, false}, {5 * fs_per_us, true}});
}

namespace {

// Far addresses in the order in which they are asked for, with two channels of two bursts each.
std::vector<std::uint64_t> order_of(const char* arbitration) {
  dma_bench bench([&](dma_parameters& p) {
    p.arbitration.load(parse_yaml_value(arbitration, {"test", 1, 1}));
    p.read_ahead.set(1);
  });
  bench.at(0, [&] {
    for (const int channel : {0, 1}) {
      const auto offset = static_cast<std::uint64_t>(channel) * 0x10000;
      bench.open(channel);
      bench.post(channel, 0, copy(far_base + offset, 0x10000 + offset, 2 * 4096));
      bench.ring_doorbell(channel, 1);
    }
  });
  bench.run();
  std::vector<std::uint64_t> order;
  for (const auto& each : bench.far.requests) order.push_back(each.address - far_base);
  return order;
}

dma_descriptor wait_for(std::uint64_t counter, std::uint32_t count) {
  return {DMA_WAIT, 4, counter, count, 0};
}

}  // namespace

TEST_CASE("the oldest descriptor goes first") {
  CHECK(order_of("oldest") == std::vector<std::uint64_t>{0, 0x1000, 0x10000, 0x11000});
}

TEST_CASE("or channels take turns") {
  CHECK(order_of("round_robin") == std::vector<std::uint64_t>{0, 0x10000, 0x1000, 0x11000});
}

TEST_CASE("a channel has waited for a counter since it was seen to be too low") {
  dma_bench bench;
  constexpr std::uint64_t counter = 0x1000;
  constexpr fs_t us = 1000 * fs_per_ns;
  bench.thread([&] {
    bench.open(0);
    bench.post(0, 0, wait_for(counter, 1));
    bench.ring_doorbell(0, 1);
  });
  bench.at(us, [&] {
    const std::uint32_t one = 1;
    bench.core.write(counter, &one, sizeof one);
  });
  bench.run();
  constexpr fs_t look = dma_bench::latency + 4 * dma_bench::per_byte;
  const fs_t too_low = dma_bench::latency + dma_bench::descriptor + look;
  const fs_t seen = us + 10 * fs_per_ns + look;  // written, told, read
  CHECK(bench.dma.count().descriptors.raw() == 1);
  CHECK(bench.dma.count().counter_wait.raw() == seen - too_low);
}

TEST_CASE("a channel has not waited for a counter that is there already") {
  dma_bench bench;
  bench.thread([&] {
    const std::uint32_t one = 1;
    bench.core.write(0x1000, &one, sizeof one);
    bench.open(0);
    bench.post(0, 0, wait_for(0x1000, 1));
    bench.ring_doorbell(0, 1);
  });
  bench.run();
  CHECK(bench.dma.count().descriptors.raw() == 1);
  CHECK(bench.dma.count().counter_wait.raw() == 0);
}

TEST_CASE("an engine owns all lines of a message that it makes in local memory") {
  dma_bench bench;
  played_firmware firmware(bench.core);
  std::vector<owned_buffer> owned;
  bench.at(0, [&] {
    bench.open(0);
    bench.post(0, 0, {DMA_COPY | DMA_LINES, 250, 0x1000, 0x2000, 7});
    firmware.write(dma_bench::registers + dma_bench::channel(0, 0xc), 1);
    owned = owned_buffers(bench.sim);
  });
  bench.run();
  REQUIRE(owned.size() == 3);
  CHECK(owned[0].use == buffer_use::descriptor);
  CHECK(owned[1] == owned_buffer{buffer_use::source, 0x1000, 250});
  CHECK(owned[2] == owned_buffer{buffer_use::destination, 0x2000, 384});
  CHECK(owned_buffers(bench.sim).empty());
}

TEST_CASE("a reduction counts the bytes of its result, and every doorbell counts") {
  dma_bench bench;
  std::vector<std::int32_t> sums(24);
  bench.at(0, [&] {
    std::vector<std::int32_t> values(24, 7);
    bench.core.debug(tlm::TLM_WRITE_COMMAND, 0x1000, values.data(), 96);
    bench.core.debug(tlm::TLM_WRITE_COMMAND, 0x2000, values.data(), 96);
    bench.open(0);
    bench.post(0, 0, {DMA_REDUCE | 3 << DMA_DTYPE_POS, 96, 0x1000, 0x2000, 0});  // INT32, sum
    bench.post(0, 1, copy(0x2000, 0x3000, 40));
    bench.ring_doorbell(0, 1);
    bench.ring_doorbell(0, 2);
  });
  bench.at(10 * fs_per_us,
           [&] { bench.core.debug(tlm::TLM_READ_COMMAND, 0x2000, sums.data(), 96); });
  bench.run();
  CHECK(sums == std::vector<std::int32_t>(24, 14));
  CHECK(statistic_of(bench.dma, "reduced") == 96);
  CHECK(statistic_of(bench.dma, "bytes") == 40);
  CHECK(statistic_of(bench.dma, "doorbells") == 2);
  CHECK(statistic_of(bench.dma, "descriptors") == 2);
  CHECK(statistic_of(bench.dma, "errors") == 0);
}
