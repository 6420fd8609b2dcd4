// A hub behind a switch whose reduction buffer is too small: sums of own tokens come in parts, and
// the hub knows of which tokens.
#include <catch2/catch.hpp>

#include "tests/unit/models/moe/switched_bench.hpp"

using namespace heddle;

namespace {

std::uint64_t counted(const token_hub& hub) {
  for (const auto* each : hub.statistics()->all())
    if (each->name() == "parted") return each->raw();
  return ~0ULL;
}

}  // namespace

// The first own token is for both other GPUs, the second one for GPU 2.
TEMPLATE_TEST_CASE_SIG("a token whose sum came in parts is known, one whose sum came whole is none",
                       "", ((int buffer), buffer), 0, 4096) {
  switched_bench bench(buffer);
  bench.at(0, [&] { bench.start_layer({2, 1, 2, 1, 2, 0}); });
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
  CHECK(counted(bench.hub) == bench.hub.tokens_parted());
  const std::vector<std::byte> three = {std::byte{0x40}, std::byte{0x40}};  // in BF16
  CHECK(bench.bytes_at(hub_bench::results, 2) == three);
  CHECK(bench.bytes_at(hub_bench::results + hub_bench::bytes, 2) == three);
}
