// The DMA engine of a tile: what it moves, when a transfer has completed, what it refuses. `start`
// is written at time 0; 3 cycles later the first beat is read, which takes a cycle here and 6 on
// its way.
#include <catch2/catch.hpp>
#include <numeric>

#include "tests/unit/models/mesh/tile_bench.hpp"

using namespace heddle;

namespace {

constexpr fs_t ns = fs_per_ns;

class dma_driver {
 public:
  dma_driver(tile_bench& bench, int tile) : bench_(bench), tile_(tile) {}

  void start(std::uint64_t destination, std::uint64_t source, std::uint32_t bytes) {
    write(0x8, source);
    write(0x10, destination);
    write(0x20, bytes);
    write(0x24, std::uint32_t{0});  // a copy
    write(0x28, std::uint32_t{1});
  }
  std::uint32_t read(std::uint64_t offset) {
    std::uint32_t value = 0;
    bench_.core(tile_).read(registers() + offset, &value, sizeof value);
    return value;
  }
  // The time at which so many transfers have completed, looked at every cycle.
  fs_t await(std::uint32_t count) { return await_register(0x2c, count); }
  fs_t await_handed_over(std::uint32_t count) { return await_register(0x34, count); }

 private:
  fs_t await_register(std::uint64_t offset, std::uint32_t count) {
    while (read(offset) != count) sc_core::wait(to_sc_time(ns));
    return now_fs();
  }
  std::uint64_t registers() const { return bench_.tile(tile_) + tile_bench::dma_registers; }
  template <class T>
  void write(std::uint64_t offset, T value) {
    bench_.core(tile_).write(registers() + offset, &value, sizeof value);
  }

  tile_bench& bench_;
  int tile_;
};

void fill(tile_bench& b, int tile, std::uint64_t offset, std::uint32_t bytes) {
  std::vector<unsigned char> data(bytes);
  std::iota(data.begin(), data.end(), static_cast<unsigned char>(tile + 1));
  b.core(tile).debug(tlm::TLM_WRITE_COMMAND, b.tile(tile) + offset, data.data(), bytes);
}

std::vector<unsigned char> content(tile_bench& b, int tile, std::uint64_t offset,
                                   std::uint32_t bytes) {
  std::vector<unsigned char> got(bytes);
  b.core(tile).debug(tlm::TLM_READ_COMMAND, b.tile(tile) + offset, got.data(), bytes);
  return got;
}

}  // namespace

TEST_CASE("transfers within a tile, from a neighbor and to it") {
  tile_bench b(2, 1);
  dma_driver dma(b, 0);
  std::vector<fs_t> taken;
  b.thread([&] {
    fill(b, 0, 0, 640);
    fill(b, 1, 0, 8192);
    dma.start(b.tile(0) + 0x4000, b.tile(0), 640);  // 10 beats
    taken.push_back(dma.await(1));
    const fs_t pulled = now_fs();
    dma.start(b.tile(0) + 0x8000, b.tile(1), 8192);
    taken.push_back(dma.await(2) - pulled);
    const fs_t pushed = now_fs();
    dma.start(b.tile(1) + 0x8000, b.tile(0), 640);
    taken.push_back(dma.await(3) - pushed);
  });
  b.run();
  // Local: 3 to start, 7 to read, 10 beats, the last of them answered 9 cycles later, 6 until the
  // register says so.
  // From the neighbor: 3 to start, 15 + 6 + 127 for the beats, 1 to write, 9 and 6 as before.
  // To it: 3 to start, 15 + 10 for the burst, whose AW leaves 5 cycles before the first beat is
  // here, 6 as before.
  CHECK(taken == std::vector<fs_t>{35 * ns, 167 * ns, 39 * ns});
  const mesh_dma_counters& count = b.dma(0).count();
  CHECK(count.transfers.raw() == 3);
  CHECK(count.bytes_read.raw() == 640 + 8192 + 640);
  CHECK(count.bytes_written.raw() == 640 + 8192 + 640);
  CHECK(count.collectives.raw() == 0);
  // From each start until its last answer.
  CHECK(count.busy.raw() == (35 + 167 + 39 - 3 * 6) * ns);
  CHECK(content(b, 0, 0x4000, 640) == content(b, 0, 0, 640));
  CHECK(content(b, 0, 0x8000, 8192) == content(b, 1, 0, 8192));
  CHECK(content(b, 1, 0x8000, 640) == content(b, 0, 0, 640));
  CHECK(b.sim.service<flit_payloads>().in_use() == 0);
}

namespace {

// Of a copy of 10 beats from tile 0.
void check_hand_over(int to, fs_t completed_at) {
  tile_bench b(4, 1);
  dma_driver dma(b, 0);
  fs_t handed_over = 0, completed = 0;
  b.thread([&] {
    fill(b, 0, 0, 640);
    dma.start(b.tile(to), b.tile(0), 640);
    handed_over = dma.await_handed_over(1);
    CHECK(dma.read(0x2c) == 0);
    completed = dma.await(1);
  });
  b.run();
  // 3 to start, 7 to read, 9 more beats, 6 to say so.
  CHECK(handed_over == 25 * ns);
  CHECK(completed == completed_at);
  CHECK(content(b, to, 0, 640) == content(b, 0, 0, 640));
}

}  // namespace

// The farther the copy, the later its answer; what leaves the engine does not know.
TEST_CASE("a transfer is handed over when its last beat has left") {
  check_hand_over(1, 39 * ns);
}
TEST_CASE("a transfer is handed over when its last beat has left, however far it goes") {
  check_hand_over(3, 47 * ns);
}

// A beat every 64 cycles, which the interfaces know (their own memory's) or do not (another's).
TEST_CASE("while a beat is late nobody is evaluated") {
  constexpr std::uint32_t beats = 16;
  tile_bench b(4, 1, {}, 1'000'000'000);
  dma_driver dma(b, 1);
  const clock_domain& clock = b.sim.service<clock_domains>().with_period(ns);
  std::vector<std::uint64_t> evaluated;
  std::vector<fs_t> taken;
  b.thread([&] {
    fill(b, 0, 0, beats * 64);
    fill(b, 1, 0, beats * 64);
    dma.start(b.tile(2), b.tile(1), beats * 64);
    taken.push_back(dma.await(1));
    evaluated.push_back(clock.activations());
    dma.start(b.tile(2) + 0x4000, b.tile(0), beats * 64);
    taken.push_back(dma.await(2) - taken[0]);
    evaluated.push_back(clock.activations() - evaluated[0]);
  });
  b.run();
  // 15 times 64 cycles behind the first beat, which takes 64, too; the burst from afar begins with
  // it.
  CHECK(taken == std::vector<fs_t>{1116 * ns, 1132 * ns});
  CHECK(b.interface(1).count().beat_waits.raw() == 1956);
  CHECK(evaluated[0] < taken[0] / ns / 8);
  CHECK(evaluated[1] < taken[1] / ns / 4);
  CHECK(content(b, 2, 0, beats * 64) == content(b, 1, 0, beats * 64));
  CHECK(content(b, 2, 0x4000, beats * 64) == content(b, 0, 0, beats * 64));
}

TEST_CASE("queued transfers of every kind complete in order, with their data") {
  tile_bench b(4, 1);
  dma_driver dma(b, 1);
  b.thread([&] {
    for (int tile = 0; tile < 4; ++tile) fill(b, tile, 0, 0x3000);
    dma.start(b.tile(0) + 0x8000, b.tile(3) + 8, 0x1010);      // far to far, across bursts
    dma.start(b.tile(1) + 0x8000, b.tile(1) + 16, 72);         // within the tile
    dma.start(b.tile(2) + 0x8ff8, b.tile(1), 0x2008);          // local to far
    dma.start(b.tile(1) + 0xa000, b.tile(0) + 0xff8, 0x1000);  // far to local
    dma.await(4);
  });
  b.run();
  CHECK(content(b, 0, 0x8000, 0x1010) == content(b, 3, 8, 0x1010));
  CHECK(content(b, 1, 0x8000, 72) == content(b, 1, 16, 72));
  CHECK(content(b, 2, 0x8ff8, 0x2008) == content(b, 1, 0, 0x2008));
  CHECK(content(b, 1, 0xa000, 0x1000) == content(b, 0, 0xff8, 0x1000));
  CHECK(b.failures().empty());
}

TEST_CASE("an engine is busy while a transfer is under way, however many are") {
  tile_bench b(2, 1);
  dma_driver dma(b, 0);
  fs_t done = 0;
  b.thread([&] {
    for (int i = 0; i < 3; ++i) dma.start(b.tile(1) + 0x4000, b.tile(0), 640);
    done = dma.await(3);
    sc_core::wait(to_sc_time(100 * ns));
    dma.start(b.tile(0) + 0x4000, b.tile(0), 640);
    dma.await(4);
  });
  b.run();
  // Less the 6 cycles until a register shows the end; the last transfer takes 35 as above.
  CHECK(b.dma(0).count().busy.raw() == done - 6 * ns + 29 * ns);
}

TEST_CASE("a transfer that is not whole words stops the engine by name") {
  tile_bench b(2, 1);
  dma_driver dma(b, 0);
  b.thread([&] { dma.start(b.tile(1), b.tile(0), 12); });
  b.run();
  REQUIRE(b.failures().size() == 1);
  CHECK(b.failures()[0] ==
        "dma[0]: cannot move 12 B from 0x10000000 to 0x10040000 by operation 0: addresses and "
        "lengths "
        "are multiples of 8");
}

TEST_CASE("a transfer to where nobody is fails with the address") {
  tile_bench b(2, 1);
  dma_driver dma(b, 0);
  b.thread([&] { dma.start(0x20000000, b.tile(0), 64); });
  b.run();
  REQUIRE(b.failures().size() == 1);
  CHECK(b.failures()[0] ==
        "dma[0]: the network refuses 64 B at 0x20000000: no tile has the address; behind `memory` "
        "are 131072 B from 0x10000000 (`local_base`)");
}

TEMPLATE_TEST_CASE_SIG("an engine that a refused burst has stopped begins no other one", "",
                       ((bool is_read), is_read), false, true) {
  tile_bench b(2, 1);
  dma_driver dma(b, 0);
  constexpr std::uint64_t nobody = 0x20000000;
  const std::uint64_t own = b.tile(0);
  b.thread([&] { dma.start(is_read ? own : nobody, is_read ? nobody : own, 8192); });
  b.run();
  CHECK(b.failures().size() == 1);
  CHECK(b.dma(0).count().errors.raw() == 1);
}

TEST_CASE("one transfer too many is refused") {
  tile_bench b(2, 1);
  dma_driver dma(b, 0);
  b.thread([&] {
    for (int i = 0; i < 5; ++i) dma.start(b.tile(1), b.tile(0), 4096);
  });
  b.run();
  REQUIRE(b.failures().size() == 1);
  CHECK(b.failures()[0] == "dma[0]: 4 transfers are queued already");
}
