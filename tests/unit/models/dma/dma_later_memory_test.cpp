// Local memory that answers in four phases: what waits for room in the staging buffers goes on when
// an answer makes some.
#include <catch2/catch.hpp>

#include "tests/unit/models/dma/dma_bench.hpp"

using namespace heddle;

namespace {

constexpr std::uint64_t slow_base = 0x20'0000;
constexpr std::uint32_t burst = 4096, bursts = 40;  // the engine reads 16 ahead
constexpr std::uint32_t stopped = 3;

// Descriptors lie in the memory that answers at once, data in `slow`.
struct slow_bench : dma_bench {
  delayed_target& slow = add_stimulus<delayed_target>("slow", 0);

  slow_bench() : dma_bench([](dma_parameters& p) { p.local_size.set({4 << 20}); }) {
    map(bus, slow_base, 1 << 20, slow, "in");
  }
  // The first channel copies many bursts, the second one behind them; `then` follows.
  void run_both(
      std::uint32_t source, const std::function<void()>& then = [] {}) {
    at(0, [this, source, then] {
      open(0);
      open(1);
      post(0, 0, copy(slow_base + source, slow_base + 0x8'0000, bursts * burst));
      post(1, 0, copy(slow_base, slow_base + 0x4'0000, 64));
      ring_doorbell(0, 1);
      ring_doorbell(1, 1);
      then();
      sc_core::wait(to_sc_time(100 * fs_per_us));
      for (int i = 0; i < 2; ++i) {
        done[i] = completed(i);
        states[i] = state(i);
      }
    });
    run();
  }

  std::uint32_t done[2] = {9, 9}, states[2] = {9, 9};
};

}  // namespace

TEST_CASE("a local copy of more bursts than are read ahead") {
  slow_bench bench;
  std::vector<unsigned char> data(bursts * burst), got(data.size());
  for (std::size_t i = 0; i < data.size(); ++i)
    data[i] = static_cast<unsigned char>(i * 7 + i / burst);
  bench.slow.bytes.write(0, data.data(), data.size());
  bench.run_both(0);
  bench.slow.bytes.read(0x8'0000, got.data(), got.size());
  CHECK(bench.done[0] == 1);
  CHECK(bench.done[1] == 1);
  CHECK(bench.slow.requests.size() == 2 * (bursts + 1));
  CHECK(got == data);
  CHECK(bench.failures().empty());
}

TEST_CASE("a channel that cannot read leaves room for the others") {
  slow_bench bench;
  bench.slow.broken = 0xc'0000;
  bench.run_both(0xc'0000);
  CHECK(bench.states[0] == stopped);
  CHECK(bench.done[0] == 0);
  CHECK(bench.done[1] == 1);
  CHECK(bench.failures().empty());
}

TEST_CASE("a channel that is reset leaves room for the others") {
  slow_bench bench;
  bench.run_both(0, [&] {
    sc_core::wait(to_sc_time(500 * fs_per_ns));  // reads are under way
    bench.set(dma_bench::channel(0, 0x18), 1);
  });
  CHECK(bench.done[0] == 0);
  CHECK(bench.done[1] == 1);
  CHECK(bench.failures().empty());
}
