// What a token hub refuses: the source gets an error, registers say which token and expert, and
// memory outside of the expert's block stays as it was.
#include <catch2/catch.hpp>
#include <functional>

#include "tests/unit/models/moe/hub_bench.hpp"

using namespace heddle;

namespace {

using error = token_hub_regs::status_error;

}  // namespace

TEST_CASE("more tokens than nactive says overflow, and what lies behind the block stays") {
  hub_bench bench;
  const std::vector<std::byte> behind(256, std::byte{0x5a});
  bench.at(0, [&] {
    bench.put(hub_bench::experts_in + hub_bench::bytes, behind.data(), behind.size());
    bench.start(nobody, 1);
  });
  bench.at(2 * fs_per_us, [&] { bench.send_vector(token_store, 3); });
  bench.at(4 * fs_per_us, [&] { bench.send_vector(token_store, 2); });
  bench.run();
  const auto answers = bench.peer.of_kind(token_ack);
  REQUIRE(answers.size() == 2);
  CHECK_FALSE(answers[0].is_error);
  CHECK(answers[1].is_error);
  bench.check_error(error::OVERFLOW, 2, 0);
  CHECK(bench.bytes_at(hub_bench::experts_in, 2) ==
        std::vector<std::byte>{std::byte{0x80}, std::byte{0x3f}});
  CHECK(bench.bytes_at(hub_bench::experts_in + hub_bench::bytes, 256) == behind);
}

TEST_CASE("a fetch of what was never dispatched is unmapped") {
  hub_bench bench;
  bench.at(0, [&] { bench.start(nobody, 1); });
  bench.at(2 * fs_per_us, [&] { bench.send_vector(token_fetch, 3); });
  bench.run();
  const auto answers = bench.peer.of_kind(token_sum);
  REQUIRE(answers.size() == 1);
  CHECK(answers.front().is_error);
  bench.check_error(error::UNMAPPED, 3, 0);
}

TEST_CASE("a row starts when memory has acknowledged its last byte, not when that arrives") {
  hub_bench bench(3 * fs_per_us);
  bench.at(0, [&] { bench.start(nobody, 1); });
  bench.at(8 * fs_per_us, [&] { bench.send_vector(token_store, 3); });
  bench.run();
  // The wire: a header and the vector at 16 GB/s, and 250 ns. Then an entry of the layout table,
  // and memory: its latency, and a look of the kernels every 150 ns.
  const fs_t arrival = 8 * fs_per_us + 9 * fs_per_ns + 250 * fs_per_ns;
  const fs_t earliest = arrival + 100 * fs_per_ns + 3 * fs_per_us;
  const fs_t begin = bench.hub.spans()[1].begin;
  CHECK(begin >= earliest);
  CHECK(begin < earliest + 200 * fs_per_ns);
}

TEST_CASE("a vector for the expert of another GPU is refused") {
  hub_bench bench;
  bench.at(0, [&] { bench.start(nobody, 1); });
  bench.at(2 * fs_per_us, [&] { bench.send_vector(token_store, 3, 1); });
  bench.run();
  REQUIRE(bench.peer.of_kind(token_ack).size() == 1);
  CHECK(bench.peer.of_kind(token_ack).front().is_error);
  bench.check_error(error::EXPERT, 3, 1);
}

TEST_CASE("an own list that names an expert twice ends the layer") {
  hub_bench bench;
  bench.at(0, [&] { bench.start({1, 1, 0, 2, 0, 0}, 1); });
  bench.run();
  bench.check_error(error::DUPLICATE, 1, 0);
}

TEST_CASE("an own list that names an expert that does not exist ends the layer") {
  hub_bench bench;
  bench.at(0, [&] { bench.start({1, 1, 0, 2, 0, 99}, 1); });
  bench.run();
  bench.check_error(error::EXPERT, 1, 99);
}

TEST_CASE("own lists that are wrong end the layer before anything of them is sent") {
  hub_bench bench;
  bench.at(0, [&] { bench.start({1, 1, 0, 3, 0, 1}, 1); });
  bench.run();
  // The second token says three experts where two are the most.
  bench.check_error(error::COUNT, 1, 3);
  CHECK(bench.peer.of_kind(token_store).size() <= 1);
}

TEMPLATE_TEST_CASE_SIG("a layer that is larger than any is refused", "", ((int which), which), 0, 1,
                       2, 3, 4, 5, 6, 7, 8, 9, 10, 11) {
  const std::function<void(token_layer&)> spoiled[] = {
      [](token_layer& l) { l.topk = UINT32_MAX; }, [](token_layer& l) { l.topk = 3; },
      [](token_layer& l) { l.experts_per_gpu = UINT32_MAX; },
      [](token_layer& l) { l.ffn = UINT32_MAX; }, [](token_layer& l) { l.tile = UINT32_MAX; },
      // SMs whose sum is 0 in 32 bits, and attention that they would share.
      [](token_layer& l) {
        l.gemm1_sms = UINT32_MAX;
        l.attention_flops = 1;
      },
      [](token_layer& l) { l.gemm2_sms = 132; }, [](token_layer& l) { l.dispatch_sms = 133; },
      [](token_layer& l) { l.attention_sms = 133; },
      [](token_layer& l) { l.attention_flops = UINT64_MAX; },
      [](token_layer& l) {
        l.attention_flops = 1;
        l.attention_bytes = UINT64_MAX;
      },
      // Numbers that are allowed, each, ask for 2^32 entries of the layout table.
      [](token_layer& l) {
        l.tokens = 1 << 16;
        l.experts_per_gpu = 1 << 15;
      }};
  hub_bench bench;
  bench.at(0, [&] { bench.start(nobody, 1, spoiled[which]); });
  bench.run();
  bench.check_error(error::BAD_LAYER, 0, 0);
}

TEMPLATE_TEST_CASE_SIG("a layer on all SMs is taken, also with none for GEMM-2 alone", "",
                       ((int gemm2_sms), gemm2_sms), 0, 100) {
  hub_bench bench;
  bench.at(0, [&] {
    bench.start(nobody, 0, [](token_layer& l) {
      l.gemm1_sms = 132 - gemm2_sms;
      l.gemm2_sms = gemm2_sms;
    });
  });
  bench.run();
  CHECK(bench.read(token_hub_regs::status_offset) == 0);
  CHECK(bench.read(token_hub_regs::completed_offset) == 1);
}

TEST_CASE("counts of tokens go in trains that are no longer than those of vectors") {
  simulation_settings settings;
  settings.train = 2;
  hub_bench bench(100 * fs_per_ns, settings);
  bench.at(0, [&] { bench.start(nobody, 0, [](token_layer& l) { l.experts_per_gpu = 70; }); });
  bench.run();
  // 280 B in packets of 128 B, with headers of 16 B.
  const auto counts = bench.peer.of_kind(token_notice);
  REQUIRE(counts.size() == 2);
  CHECK(counts[0].wire_bytes == 2 * (16 + 128));
  CHECK(counts[1].wire_bytes == 16 + 32);
  CHECK(bench.read(token_hub_regs::completed_offset) == 1);
}

TEST_CASE("experts that get more tokens than there are") {
  hub_bench bench;
  bench.at(0, [&] { bench.start(nobody, 5); });
  bench.run();
  bench.check_error(error::BAD_LAYER, 0, 0);
}

// The third GPU is in the address map, and no link leads to it.
TEST_CASE("a layer with a GPU that the hub's planes do not reach is refused") {
  hub_bench bench(100 * fs_per_ns, {}, false);
  packet_switch& plane =
      bench.add<packet_switch>("plane", [](switch_parameters& p) { p.ports.set(2); });
  bench.join(bench.hub, "port[0]", plane, "port[0]");
  bench.join(bench.peer, "port", plane, "port[1]");
  bench.add_stimulus<played_gpu>("third", hub_bench::base + 2 * hub_bench::window,
                                 hub_bench::window, 0.0F);
  bench.at(0, [&] { bench.start(nobody, 0, [](token_layer& l) { l.gpus = 3; }); });
  bench.run();
  bench.check_error(error::BAD_LAYER, 0, 0);
  CHECK(bench.told() == "BAD_LAYER: no port leads to rank 2 (third)");
  CHECK(bench.peer.arrivals.empty());
}

TEST_CASE("commands of firmware that does not play the groups are refused") {
  hub_bench bench;
  bench.at(0, [&] { bench.start(nobody, 1); });
  bench.at(2 * fs_per_us, [&] {
    bench.write(token_hub_regs::ring_offset, hub_bench::gathered);
    bench.write(token_hub_regs::ring_entries_offset, std::uint32_t{16});
    bench.write(token_hub_regs::posted_offset, std::uint32_t{1});
  });
  bench.run();
  bench.check_error(error::COMMAND, 0, 0);
}

TEST_CASE("a row that firmware was not given is not multiplied") {
  hub_bench bench;
  bench.at(0, [&] { bench.start(nobody, 1); });
  bench.at(2 * fs_per_us,
           [&] { bench.write(token_hub_regs::issue_gemm1_offset, std::uint32_t{0}); });
  bench.run();
  bench.check_error(error::COMMAND, 0, 0);
  CHECK(bench.hub.spans()[1].end == 0);
}

TEST_CASE("an error of the other GPU ends the layer here, too") {
  hub_bench bench;
  bench.peer.refuses = true;
  bench.at(0, [&] { bench.start({1, 1, 0, 0, 0, 0}, 1); });
  bench.run();
  REQUIRE(bench.peer.of_kind(token_store).size() == 1);
  bench.check_error(error::REMOTE, 0, 0);
}
