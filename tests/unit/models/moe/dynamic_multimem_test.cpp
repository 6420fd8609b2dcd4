// A switch that copies and adds by lists of experts: who gets what, with which flits, and when.
#include <catch2/catch.hpp>
#include <numeric>

#include "models/workloads/moe/moe_laws.hpp"
#include "tests/unit/models/moe/dynamic_bench.hpp"

using namespace heddle;

namespace {

std::vector<std::uint16_t> experts_from(std::uint16_t first, std::size_t count) {
  std::vector<std::uint16_t> experts(count);
  std::iota(experts.begin(), experts.end(), first);
  return experts;
}

// On GPUs 1, 2, ...: expert 8, 16, ... of 256.
std::vector<std::uint16_t> one_on_each(std::size_t gpus) {
  std::vector<std::uint16_t> experts;
  for (std::size_t i = 1; i <= gpus; ++i) experts.push_back(static_cast<std::uint16_t>(8 * i));
  return experts;
}

fs_t flits(std::uint32_t bytes) {
  return bytes / 16 * dynamic_bench::flit;
}

constexpr fs_t turn = 10 * fs_per_us;  // of one request after another
constexpr fs_t one_way =
    2 * dynamic_bench::link_latency + dynamic_bench::device;  // first byte to first byte

}  // namespace

TEST_CASE("a list takes a flit for eight targets on its way to the switch") {
  struct expectation {
    std::size_t targets;
    std::uint32_t extension_flits;
  };
  const expectation e =
      GENERATE(expectation{0, 0}, expectation{1, 1}, expectation{2, 1}, expectation{8, 1},
               expectation{9, 2}, expectation{16, 2}, expectation{17, 3}, expectation{256, 32});
  CHECK(dynamic_format.extension_bytes(1, e.targets, token_format::leg::source) ==
        16 * e.extension_flits);
  CHECK(dynamic_format.extension_bytes(32, e.targets, token_format::leg::source) ==
        32 * 16 * e.extension_flits);
  // A copy with one target carries it in place of the count.
  CHECK(dynamic_format.extension_bytes(1, e.targets, token_format::leg::copy) ==
        (e.targets == 1 ? 0 : 16 * e.extension_flits));
}

TEST_CASE("copies are trimmed to the experts of their GPU, and one acknowledgment covers all") {
  const std::vector<std::size_t> counts = {1, 2, 8, 9, 16, 17, 248};
  dynamic_bench bench;
  for (std::size_t i = 0; i < counts.size(); ++i)
    bench.at(i * turn, [&, i] { bench.send(0, token_store, experts_from(8, counts[i])); });
  bench.run();
  for (std::size_t i = 0; i < counts.size(); ++i) {
    INFO(counts[i] << " targets");
    for (std::size_t gpu = 1; gpu < 32; ++gpu) {
      INFO("GPU " << gpu);
      const auto copies = bench.gpus[gpu]->of_kind(token_store, i * turn, (i + 1) * turn);
      const std::size_t before = 8 * (gpu - 1);
      const std::size_t own = std::min<std::size_t>(8, counts[i] - std::min(counts[i], before));
      REQUIRE(copies.size() == (own > 0 ? 1 : 0));
      if (copies.empty()) continue;
      CHECK(copies.front().experts == experts_from(static_cast<std::uint16_t>(8 * gpu), own));
      CHECK(copies.front().wire_bytes == 16 + 128 + (own > 1 ? 16 : 0));
      CHECK(copies.front().values == std::vector<float>(64, 1.0F));
    }
    const auto done = bench.gpus[0]->of_kind(token_ack, i * turn, (i + 1) * turn);
    REQUIRE(done.size() == 1);
    CHECK(done.front().covered == counts[i]);
    CHECK(done.front().wire_bytes == 16);
    CHECK_FALSE(done.front().is_error);
  }
  CHECK(bench.multimem.waiting_for().empty());
}

TEST_CASE("a store to an idle system: two links and a cycle to each target, and as much back") {
  dynamic_bench bench;
  bench.at(0, [&] { bench.send(0, token_store, one_on_each(8)); });
  bench.run();
  const std::uint32_t request = 16 + 16 + 128, copy = 16 + 128;
  for (int i = 1; i <= 8; ++i) {
    const auto copies = bench.gpus[static_cast<std::size_t>(i)]->of_kind(token_store);
    REQUIRE(copies.size() == 1);
    // Cut-through; the copy has a flit less than the request, whose last byte it waits for.
    CHECK(copies.front().tail == one_way + flits(request));
    CHECK(copies.front().wire_bytes == copy);
  }
  const auto done = bench.gpus[0]->of_kind(token_ack);
  REQUIRE(done.size() == 1);
  // The switch has every acknowledgment before it sends its own.
  CHECK(done.front().tail ==
        one_way + flits(request) + 2 * (dynamic_bench::link_latency + flits(16)));
}

TEST_CASE("a fetch from an idle system: the sum is back after four links and a cycle") {
  dynamic_bench bench;
  bench.at(0, [&] { bench.send(0, token_fetch, one_on_each(8)); });
  bench.run();
  const auto sums = bench.gpus[0]->of_kind(token_sum);
  REQUIRE(sums.size() == 1);
  CHECK(sums.front().values == std::vector<float>(64, 2 + 3 + 4 + 5 + 6 + 7 + 8 + 9));
  CHECK(sums.front().wire_bytes == 16 + 128);
  CHECK(sums.front().covered == 8);
  // A packet is added when all of it is there, from every GPU.
  CHECK(sums.front().tail ==
        one_way + flits(32) + 2 * (dynamic_bench::link_latency + flits(16 + 128)));
}

TEST_CASE("two experts of one GPU get one copy, which is answered once for both") {
  dynamic_bench bench;
  bench.at(0, [&] { bench.send(0, token_fetch, {8, 15}); });
  bench.run();
  REQUIRE(bench.gpus[1]->of_kind(token_fetch).size() == 1);
  CHECK(bench.gpus[1]->of_kind(token_fetch).front().wire_bytes == 32);
  const auto sums = bench.gpus[0]->of_kind(token_sum);
  REQUIRE(sums.size() == 1);
  CHECK(sums.front().covered == 2);
  CHECK(sums.front().values == std::vector<float>(64, 2.0F));
}

TEST_CASE("payload efficiency of a vector to eight GPUs is that of the law") {
  const bool is_explicit = GENERATE(false, true);
  const token_format format{plain_packets, is_explicit ? target_addressing::explicit_targets
                                                       : target_addressing::dynamic};
  const std::uint32_t payload = GENERATE(32, 64, 128, 256, 512), targets = 8;
  std::uint32_t wire = 16 + payload + format.extension_bytes(1, targets, token_format::leg::source);
  wire += 16 + format.answer_extension_bytes(1, targets);
  for (std::uint32_t i = 0; i < targets; ++i)
    wire += 16 + payload + format.extension_bytes(1, 1, token_format::leg::copy) + 16;
  const double efficiency = double(payload) * (targets + 1) / wire;
  const auto law = payload_efficiency_law(payload, targets);
  CHECK(efficiency == Approx(is_explicit ? law.explicit_targets : law.dynamic).epsilon(1e-12));
}

namespace {

// Six fetches at once, whose answers wait for the slowest of four GPUs.
void check_evictions(std::uint64_t buffer) {
  dynamic_options options;
  options.buffer = buffer;
  dynamic_bench bench(options);
  bench.gpus[3]->answers_after = 900 * fs_per_ns;
  constexpr std::uint32_t fetches = 6;
  bench.at(0, [&] {
    for (std::uint32_t i = 0; i < fetches; ++i) bench.send(0, token_fetch, {8, 16, 24, 32}, 128, i);
  });
  bench.run();
  float all = 0;
  std::uint32_t covered = 0;
  const auto sums = bench.gpus[0]->of_kind(token_sum);
  for (const auto& each : sums) {
    covered += each.covered;
    all += each.values.front();
  }
  CHECK(covered == 4 * fetches);
  CHECK(all == fetches * (2 + 3 + 4 + 5));
  CHECK(bench.statistic_of("evictions") == fetches - buffer / 128);
  CHECK(bench.statistic_of("partial_sums") == sums.size() - fetches);
  CHECK(bench.statistic_of("hits") + bench.statistic_of("evictions") >= fetches);
  CHECK(bench.multimem.waiting_for().empty());
}

}  // namespace

TEST_CASE("without a reduction buffer every operand is passed on, and the source adds") {
  check_evictions(0);
}

TEST_CASE("a reduction buffer of one entry evicts what is older, and sums are exact") {
  check_evictions(128);
}

TEST_CASE("a reduction buffer that holds them all evicts nothing") {
  check_evictions(6 * 128);
}

TEST_CASE("experts named twice, or that do not exist, are refused, and no GPU gets anything") {
  dynamic_bench bench;
  bench.at(0 * turn, [&] { bench.send(0, token_store, {8, 16, 8}); });
  bench.at(1 * turn, [&] { bench.send(0, token_store, {8, 256}); });
  bench.at(2 * turn, [&] { bench.send(0, token_fetch, {8, 16, 8}); });
  bench.at(3 * turn, [&] { bench.send(0, token_fetch, {8, 256}); });
  bench.run();
  for (std::size_t gpu = 1; gpu < 32; ++gpu) CHECK(bench.gpus[gpu]->arrivals.empty());
  REQUIRE(bench.gpus[0]->arrivals.size() == 4);
  for (const auto& each : bench.gpus[0]->arrivals) CHECK(each.is_error);
  CHECK(bench.statistic_of("errors") == 4);
}

TEST_CASE("refusals are responses of the kind that was asked for, without the list of targets") {
  dynamic_bench bench;
  bench.at(0 * turn, [&] { bench.send(0, token_store, {8, 16, 8}); });
  bench.at(1 * turn, [&] { bench.send(0, token_fetch, {8, 16, 8}); });
  bench.at(2 * turn, [&] { bench.send(0, packet_kind::read_request, {}); });
  bench.at(3 * turn, [&] { bench.send(0, packet_kind::write_request, {}); });
  bench.at(4 * turn, [&] { bench.send(0, token_notice, {}); });  // nobody answers one
  bench.run();
  CHECK(bench.statistic_of("errors") == 5);
  const auto& refusals = bench.gpus[0]->arrivals;
  REQUIRE(refusals.size() == 4);
  CHECK(refusals[0].kind == token_ack);
  CHECK(refusals[0].wire_bytes == 16);
  CHECK(refusals[1].kind == token_sum);
  CHECK(refusals[1].wire_bytes == 16 + 128);
  CHECK(refusals[2].kind == packet_kind::read_response);
  CHECK(refusals[2].wire_bytes == 16 + 128);
  CHECK(refusals[3].kind == packet_kind::write_response);
  CHECK(refusals[3].wire_bytes == 16);
}

TEST_CASE("sums in the order of GPUs do not depend on when answers come") {
  dynamic_options options;
  options.keeps_order = true;
  dynamic_bench bench(options);
  for (std::size_t late = 1; late <= 3; ++late)
    bench.at(late * turn, [&, late] {
      for (played_gpu* each : bench.gpus) each->answers_after = 0;
      bench.gpus[late]->answers_after = fs_per_us;
      bench.send(0, token_fetch, {8, 16, 24}, 4096);
    });
  bench.run();
  const auto sums = bench.gpus[0]->of_kind(token_sum);
  REQUIRE(sums.size() == 3);
  for (const auto& each : sums) CHECK(each.values == std::vector<float>(2048, 2 + 3 + 4));
}
