// A hub behind a switch whose reduction buffer is too small: sums of own tokens come in parts, and
// the hub knows of which tokens.
#include <catch2/catch.hpp>

#include "tests/unit/models/moe/hub_bench.hpp"

using namespace heddle;

namespace {

// GPU 0 is the hub, GPUs 1 and 2 are played; each has one expert. GPU 1 returns zeros, GPU 2
// threes.
struct parted_bench : hub_bench {
  static constexpr std::uint64_t range = 1ULL << 40;

  packet_switch& plane = add<packet_switch>("plane", [](switch_parameters& p) {
    p.ports.set(3);
    p.forwarding.set({0});
  });
  dynamic_multimem& multimem;
  played_gpu& second = add_stimulus<played_gpu>("second", base + 2 * window, window, 3.0F);

  explicit parted_bench(std::uint64_t buffer)
      : hub_bench(100 * fs_per_ns, {}, false),
        multimem(add<dynamic_multimem>("multimem", [buffer](dynamic_multimem_parameters& p) {
          p.base.set({range});
          p.size.set({window});
          p.members.set(3);
          p.member_base.set({base});
          p.member_stride.set({window});
          p.experts_per_gpu.set(1);
          p.buffer.set({buffer});
        })) {
    bind(multimem, "switch", plane, "inc");
    join(hub, "port[0]", plane, "port[0]");
    join(peer, "port", plane, "port[1]");
    join(second, "port", plane, "port[2]");
  }

  // The first own token is for both experts, the second one for that of GPU 2.
  void start_layer() {
    start({2, 1, 2, 1, 2, 0}, 0, [](token_layer& l) {
      l.range = range;
      l.traffic = TOKEN_MULTICAST;
      l.gpus = 3;
    });
    send_count(second);
  }
  std::uint64_t counted() const {
    for (const auto* each : hub.statistics()->all())
      if (each->name() == "parted") return each->raw();
    return ~0ULL;
  }
};

}  // namespace

TEMPLATE_TEST_CASE_SIG("a token whose sum came in parts is known, one whose sum came whole is none",
                       "", ((int buffer), buffer), 0, 4096) {
  parted_bench bench(buffer);
  bench.at(0, [&] { bench.start_layer(); });
  bench.at(10 * fs_per_us, [&] {
    bench.send_notice(bench.peer, {0});
    bench.send_notice(bench.second, {0, 1});
  });
  bench.run();
  REQUIRE(bench.read(token_hub_regs::status_offset) == 0);
  REQUIRE(bench.read(token_hub_regs::completed_offset) == 1);
  const bool is_evicted = buffer == 0;
  CHECK(bench.hub.is_parted(0) == is_evicted);
  CHECK_FALSE(bench.hub.is_parted(1));
  CHECK(bench.hub.tokens_parted() == (is_evicted ? 1 : 0));
  CHECK(bench.counted() == bench.hub.tokens_parted());
  const std::vector<std::byte> three = {std::byte{0x40}, std::byte{0x40}};  // in BF16
  CHECK(bench.bytes_at(hub_bench::results, 2) == three);
  CHECK(bench.bytes_at(hub_bench::results + hub_bench::bytes, 2) == three);
}
