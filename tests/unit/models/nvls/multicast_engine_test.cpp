#include <catch2/catch.hpp>

#include "tests/unit/models/nvls/nvls_bench.hpp"

using namespace heddle;

namespace {

constexpr fs_t per_byte = nvls_bench::per_byte;
constexpr fs_t latency = nvls_bench::latency;
constexpr fs_t forwarding = nvls_bench::forwarding;
constexpr fs_t pipeline = nvls_bench::pipeline;
constexpr fs_t header = 16 * per_byte, full = 144 * per_byte;  // on the wire

fs_t memory_time(std::uint32_t bytes) {
  return nvls_bench::memory_latency + bytes * per_byte;
}

// When the first result of a load of 128 B starts to leave the switch.
constexpr fs_t first_result_leaves = header + 2 * latency + forwarding +
                                     nvls_bench::memory_latency + 128 * per_byte + full + latency +
                                     forwarding + pipeline;

}  // namespace

TEST_CASE("a reduced load takes four hops, the crossbar twice, a memory and a reduction") {
  nvls_bench bench({});
  std::vector<float> got(32);
  memory_initiator::result result;
  for (int rank = 0; rank < 4; ++rank) {
    const std::vector<float> mine(32, static_cast<float>(rank + 1));
    bench.fill(rank, 0x400, mine.data(), 128);
  }
  bench.at(1000, [&] { result = bench.ld_reduce(1, 0x400, got.data(), 128, dtype::fp32); });
  bench.run();
  CHECK(result.status == tlm::TLM_OK_RESPONSE);
  CHECK(got == std::vector<float>(32, 10.0F));
  CHECK(result.done ==
        1000 + header + full + full + 4 * latency + 2 * forwarding + pipeline + memory_time(128));
  CHECK(bench.failures().empty());
  CHECK(bench.statistic_of(bench.engine, "reductions") == 1);
  CHECK(bench.statistic_of(bench.engine, "reduced_bytes") == 128);
  CHECK(bench.statistic_of(bench.engine, "reducing") == 128 * per_byte);
  CHECK(bench.statistic_of(bench.engine, "peak_buffer") == 1);
}

TEST_CASE("a store to all takes four hops, the crossbar twice and a memory") {
  nvls_bench bench({});
  const std::vector<std::uint32_t> data(32, 0x12345678);
  memory_initiator::result result;
  bench.at(1000, [&] { result = bench.st(2, 0x800, data.data(), 128); });
  bench.run();
  CHECK(result.status == tlm::TLM_OK_RESPONSE);
  CHECK(result.done == 1000 + full + 2 * header + 4 * latency + 2 * forwarding + memory_time(128));
  for (int rank = 0; rank < 4; ++rank)
    CHECK(bench.word_of<std::uint32_t>(rank, 0x800 + 124) == 0x12345678);
  CHECK(bench.failures().empty());
  CHECK(bench.statistic_of(bench.engine, "multicasts") == 1);
}

TEST_CASE("an addition at all takes as long as its words") {
  nvls_bench bench({});
  memory_initiator::result result;
  const std::uint64_t start = 40;
  for (int rank = 0; rank < 4; ++rank) bench.fill(rank, 0x10, &start, 8);
  bench.at(0, [&] { result = bench.red(0, 0x10, 2); });
  bench.run();
  CHECK(result.status == tlm::TLM_OK_RESPONSE);
  // 8 B are padded to a flit, out and back.
  CHECK(result.done ==
        4 * 32 * per_byte - 32 * per_byte + 4 * latency + 2 * forwarding + memory_time(8));
  for (int rank = 0; rank < 4; ++rank) CHECK(bench.word_of<std::uint64_t>(rank, 0x10) == 42);
  CHECK(bench.statistic_of(bench.engine, "atomics") == 1);
  CHECK(bench.failures().empty());
}

TEST_CASE("packets of a long load follow each other at the speed of the wire") {
  nvls_bench bench({});
  std::vector<float> got(1024);
  memory_initiator::result result;
  bench.at(0, [&] { result = bench.ld_reduce(3, 0, got.data(), 4096, dtype::fp32); });
  bench.run();
  CHECK(result.done == first_result_leaves + 32 * full + latency);
}

namespace {

// A load of 32 packets from 4 members. What the reduction unit of the port takes in for a packet,
// in bytes at the port's rate, and by how much the load ends later than its wires allow.
void check_long_load(std::uint64_t speedup, std::uint32_t taken_in, fs_t later) {
  nvls_options options;
  options.speedup = speedup;
  nvls_bench bench(options);
  std::vector<float> got(1024);
  memory_initiator::result result;
  const std::vector<float> mine(1024, 2.0F);
  for (int rank = 0; rank < 4; ++rank) bench.fill(rank, 0, mine.data(), 4096);
  bench.at(0, [&] { result = bench.ld_reduce(0, 0, got.data(), 4096, dtype::fp32); });
  bench.run();
  CHECK(got == std::vector<float>(1024, 8.0F));
  CHECK(static_cast<fs_t>(bench.statistic_of(bench.engine, "reducing")) ==
        32 * taken_in * per_byte);
  CHECK(result.done == first_result_leaves + 32 * full + latency + later);
}

}  // namespace

TEST_CASE("a crossbar of as many ports as members limits no reduction") {
  check_long_load(4, 128, 0);
}

// Two operands at a time: each packet takes longer than its answer on the wire.
TEST_CASE("a slower crossbar brings operands in turns") {
  check_long_load(2, 256, 32 * (256 * per_byte - full));
}

TEST_CASE("a train takes as long as its packets") {
  nvls_options options;
  options.train = 32;
  nvls_bench bench(options);
  std::vector<float> got(1024);
  memory_initiator::result result;
  bench.at(0, [&] { result = bench.ld_reduce(3, 0, got.data(), 4096, dtype::fp32); });
  bench.run();
  const fs_t packets = first_result_leaves + 32 * full + latency;
  CHECK(result.done >= packets);
  CHECK(result.done <= packets + 32 * full);  // the engine has all of it before it answers
  CHECK(bench.failures().empty());
}

TEST_CASE("a load that finds no reduction buffer waits until a result leaves") {
  nvls_options options;
  options.buffer = 1;
  nvls_bench bench(options);
  std::vector<float> got(64);
  memory_initiator::result result;
  std::string waits;
  bench.at(0, [&] { result = bench.ld_reduce(0, 0, got.data(), 256, dtype::fp32); });
  bench.at(200 * fs_per_ns, [&] { waits = bench.engine.waiting_for(); });
  bench.run();
  // Its copy for member 0 goes behind the first result, to the same accelerator.
  const fs_t second_result_leaves = first_result_leaves + full + header + 2 * latency + full +
                                    memory_time(128) + forwarding + pipeline;
  CHECK(result.done == second_result_leaves + full + latency);
  CHECK(bench.statistic_of(bench.engine, "buffer_stalls") == 1);
  CHECK(bench.statistic_of(bench.engine, "peak_buffer") == 1);
  CHECK(waits ==
        "port 0: a free reduction buffer, answers of member 0 at ni0.port[0], answers of member 1 "
        "at ni1.port[0], answers of member 2 at ni2.port[0], answers of member 3 at ni3.port[0]");
  CHECK(bench.engine.waiting_for().empty());
}

TEST_CASE("stores overtake loads that wait for a buffer") {
  nvls_options options;
  options.buffer = 1;
  nvls_bench bench(options);
  std::vector<float> got(64);
  memory_initiator::result load, store;
  bench.at(0, [&] { load = bench.ld_reduce(0, 0, got.data(), 256, dtype::fp32); });
  bench.at(1, [&] { store = bench.st(0, 0x1000, got.data(), 128); });
  bench.run();
  CHECK(store.done < load.done);
}

TEST_CASE("ordinary traffic takes turns with multicasts") {
  nvls_bench bench({});
  std::vector<unsigned char> data(64 * 1024), copy(64 * 1024);
  memory_initiator::result store, write;
  bench.at(0, [&] { store = bench.st(0, 0, data.data(), 64 * 1024); });
  bench.at(0, [&] {
    write = bench.core(1).write(nvls_bench::base_of(2) + 0x4'0000, copy.data(), 64 * 1024);
  });
  bench.run();
  // Both go through the port to accelerator 2, which carries 2 x 512 packets: neither is starved.
  const fs_t alone = 512 * full, both = 2 * alone;
  CHECK(store.done > both * 9 / 10);
  CHECK(write.done > both * 9 / 10);
  CHECK(store.done < both + 2 * fs_per_us);
  CHECK(write.done < both + 2 * fs_per_us);
  CHECK(bench.failures().empty());
}
