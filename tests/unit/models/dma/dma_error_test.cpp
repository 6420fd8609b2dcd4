// Mistakes of the firmware and of the fabric, and how a channel comes back from them.
#include <catch2/catch.hpp>

#include "tests/support/memory_target.hpp"
#include "tests/unit/models/dma/dma_bench.hpp"

using namespace heddle;

namespace {

constexpr std::uint64_t far_base = dma_bench::far_base;
constexpr std::uint32_t idle = 0, stopped = 3;
constexpr std::uint32_t ring_overrun = 1, bad_descriptor = 2, bus_error = 3;

struct outcome {
  std::uint32_t state = 9, error = 9, completed = 9, irq_status = 9;
};

// Posts the descriptors, rings and looks 10 us later.
outcome after(dma_bench& bench, const std::vector<dma_descriptor>& posted, std::uint32_t doorbell) {
  outcome seen;
  bench.at(0, [&] {
    bench.open(1, 4);
    for (std::size_t i = 0; i < posted.size(); ++i)
      bench.post(1, static_cast<std::uint32_t>(i), posted[i]);
    bench.ring_doorbell(1, doorbell);
    sc_core::wait(to_sc_time(10 * fs_per_us));
    seen = {bench.state(1), bench.error(1), bench.completed(1), bench.get(0x8)};
  });
  bench.run();
  return seen;
}

}  // namespace

TEST_CASE("more posted than the ring holds") {
  dma_bench bench;
  const outcome seen = after(bench, {}, 5);
  CHECK(seen.state == stopped);
  CHECK(seen.error == ring_overrun);
  CHECK(seen.irq_status == 2);
}

TEST_CASE("a doorbell that goes back") {
  dma_bench bench;
  std::uint32_t error = 9;
  bench.at(0, [&] {
    bench.open(1, 4);
    for (std::uint32_t i = 0; i < 3; ++i) bench.post(1, i, word(1, 0x3000, 4));
    bench.ring_doorbell(1, 3);
    bench.ring_doorbell(1, 2);
    error = bench.error(1);
  });
  bench.run();
  CHECK(error == ring_overrun);
}

TEST_CASE("a descriptor that means nothing stops the channel behind the good ones") {
  dma_bench bench;
  const outcome seen = after(bench, {word(7, 0x3000, 4, DMA_FENCE), {0xf, 4, 0, 0, 0}}, 2);
  CHECK(seen.state == stopped);
  CHECK(seen.error == bad_descriptor);
}

TEST_CASE("a copy with two far ends is refused") {
  dma_bench bench;
  CHECK(after(bench, {copy(far_base, far_base + 64, 64)}, 1).error == bad_descriptor);
}

TEST_CASE("a word of 5 bytes is refused") {
  dma_bench bench;
  CHECK(after(bench, {word(1, 0x3000, 5)}, 1).error == bad_descriptor);
}

TEST_CASE("a far error stops the channel and completes nothing") {
  dma_bench bench;
  bench.far.broken = far_base + 4096;
  const outcome seen = after(bench, {copy(0x1000, far_base, 3 * 4096)}, 1);
  CHECK(seen.state == stopped);
  CHECK(seen.error == bus_error);
  CHECK(seen.completed == 0);
  CHECK(bench.failures().empty());
}

TEST_CASE("local memory that does not exist is a bus error") {
  dma_bench bench([](dma_parameters& p) { p.local_size.set({2 << 20}); });
  CHECK(after(bench, {copy(0x180000, 0x1000, 64)}, 1).error == bus_error);
}

TEST_CASE("a reset leaves the error and starts from zero") {
  dma_bench bench;
  outcome broken, fresh, done;
  bench.at(0, [&] {
    bench.open(1, 4);
    bench.ring_doorbell(1, 5);
    broken = {bench.state(1), bench.error(1), 0, 0};
    bench.set(bench.channel(1, 0x18), 0);  // not a reset
    CHECK(bench.state(1) == stopped);
    bench.set(bench.channel(1, 0x18), 1);
    fresh = {bench.state(1), bench.error(1), bench.completed(1), 0};
    bench.post(1, 0, word(0x42, 0x3000, 4));
    bench.ring_doorbell(1, 1);
    sc_core::wait(to_sc_time(fs_per_us));
    done = {bench.state(1), bench.error(1), bench.completed(1), 0};
  });
  bench.run();
  CHECK(broken.error == ring_overrun);
  CHECK(fresh.state == idle);
  CHECK(fresh.error == 0);
  CHECK(fresh.completed == 0);
  CHECK(done.state == idle);
  CHECK(done.completed == 1);
  CHECK(bench.local(0x3000, 1)[0] == 0x42);
}

TEST_CASE("what was under way at a reset does not count afterwards") {
  dma_bench bench;
  std::uint32_t completed = 9;
  bench.at(0, [&] {
    bench.open(1, 4);
    bench.post(1, 0, copy(0x1000, far_base, 64));
    bench.ring_doorbell(1, 1);
    sc_core::wait(to_sc_time(300 * fs_per_ns));  // the far write is under way
    bench.set(bench.channel(1, 0x18), 1);
    sc_core::wait(to_sc_time(fs_per_us));
    completed = bench.completed(1);
  });
  bench.run();
  CHECK(completed == 0);
}

TEST_CASE("the ring cannot move while the channel runs") {
  dma_bench bench;
  tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE;
  bench.at(0, [&] {
    bench.open(1, 4);
    bench.post(1, 0, copy(0x1000, far_base, 64));
    bench.ring_doorbell(1, 1);
    bench.set(bench.channel(1, 0x8), 8);
    status = bench.last_status;
  });
  bench.run();
  CHECK(status == tlm::TLM_GENERIC_ERROR_RESPONSE);
}
