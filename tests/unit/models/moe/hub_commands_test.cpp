// Commands of dynamic multimem where firmware plays the groups of the kernel: a token is stored by
// one list of experts and fetched by another while its stores are under way.
#include <catch2/catch.hpp>

#include "tests/unit/models/moe/command_ring.hpp"
#include "tests/unit/models/moe/switched_bench.hpp"

using namespace heddle;

namespace {

using error = token_hub_regs::status_error;

// Addresses of this layer have a device in a switch, which these tests do not ask for anything.
struct command_bench : hub_bench {
  static constexpr std::uint64_t range = 1ULL << 40;

  command_bench() { sim.service<fabric>().add_inc_endpoint(peer, range, window); }

  void start_layer(const std::vector<std::uint16_t>& own_lists, std::uint32_t experts_per_gpu) {
    start(own_lists, 1, [experts_per_gpu](token_layer& l) {
      l.range = range;
      l.traffic = TOKEN_MULTICAST;
      l.groups = TOKEN_GROUPS_FIRMWARE;
      l.experts_per_gpu = experts_per_gpu;
    });
    commands.open();
  }

  // A row that is ready goes to the SMs. Returns which one, 0xffffffff where there is none.
  std::uint32_t issue(std::uint64_t ready_offset, std::uint64_t issue_offset) {
    std::uint32_t row = 0;
    core.read(registers + ready_offset, &row, sizeof row);
    if (row != kernel_groups::none) write(issue_offset, row);
    return row;
  }

  command_ring commands{*this, range};
};

}  // namespace

TEST_CASE("a fetch by another list leaves the acknowledgments of the store to its own experts") {
  command_bench bench;
  std::uint32_t first = 1, second = 1;
  bench.at(0, [&] { bench.start_layer({1, 0, 0, 0, 0, 0}, 1); });
  bench.at(2 * fs_per_us, [&] {
    bench.commands.store(0, {0});
    bench.commands.fetch(0, {});  // before memory has acknowledged the store
    bench.commands.store(1, {});
    bench.commands.fetch(1, {});
    bench.commands.ring_doorbell();
  });
  bench.at(10 * fs_per_us, [&] {
    first = bench.issue(token_hub_regs::ready_gemm1_offset, token_hub_regs::issue_gemm1_offset);
  });
  bench.at(20 * fs_per_us, [&] {
    second = bench.issue(token_hub_regs::ready_gemm2_offset, token_hub_regs::issue_gemm2_offset);
  });
  bench.run();
  CHECK(first == 0);
  CHECK(second == 0);
  CHECK(bench.read(token_hub_regs::status_offset) == 0);
  CHECK(bench.read(token_hub_regs::commands_completed_offset) == 4);
  CHECK(bench.read(token_hub_regs::completed_offset) == 1);
}

// The second own expert gets no token in this layer, and has no row.
TEST_CASE("a fetch from an own expert that the store did not name is unmapped") {
  command_bench bench;
  bench.at(0, [&] { bench.start_layer({1, 0, 0, 0, 0, 0}, 2); });
  bench.at(2 * fs_per_us, [&] {
    bench.commands.store(0, {0});
    bench.commands.fetch(0, {1});
    bench.commands.ring_doorbell();
  });
  bench.run();
  bench.check_error(error::UNMAPPED, 0, 1);
}

// GPU 1 has the only expert of the first token, which firmware does not wait for.
TEST_CASE("a layer lasts until experts are done with tokens that were fetched before that") {
  switched_bench bench(4096);
  command_ring commands(bench, switched_bench::range);
  std::uint32_t completed_early = 1, completed_late = 0;
  std::string waits;
  bench.at(0, [&] {
    bench.start_layer({1, 1, 0, 0, 0, 0}, [](token_layer& l) { l.groups = TOKEN_GROUPS_FIRMWARE; });
    commands.open();
  });
  bench.at(2 * fs_per_us, [&] {
    commands.store(0, {1});
    commands.fetch(0, {});
    commands.store(1, {});
    commands.fetch(1, {});
    commands.ring_doorbell();
  });
  bench.at(20 * fs_per_us, [&] {
    completed_early = bench.read(token_hub_regs::completed_offset);
    waits = bench.hub.waiting_for();
    bench.send_notice(bench.peer, {0});
  });
  bench.at(40 * fs_per_us, [&] { completed_late = bench.read(token_hub_regs::completed_offset); });
  bench.run();
  CHECK(completed_early == 0);
  CHECK(waits == "experts that are not done with 1 own token");
  CHECK(completed_late == 1);
  CHECK(bench.read(token_hub_regs::status_offset) == 0);
  CHECK(bench.read(token_hub_regs::commands_completed_offset) == 4);
}

// The descriptor names no expert for the token, the command names two.
TEST_CASE("a token is ready when all experts of its command are done, not those of the layer") {
  switched_bench bench(4096);
  command_ring commands(bench, switched_bench::range);
  std::uint32_t after_one = 0, after_both = 0;
  const auto pop = [&bench](std::uint32_t& token) {
    bench.core.read(hub_bench::registers + token_hub_regs::ready_token_offset, &token,
                    sizeof token);
  };
  bench.at(0, [&] {
    bench.start_layer(nobody, [](token_layer& l) { l.groups = TOKEN_GROUPS_FIRMWARE; });
    commands.open();
  });
  bench.at(2 * fs_per_us, [&] {
    commands.store(0, {1, 2});
    commands.ring_doorbell();
  });
  bench.at(10 * fs_per_us, [&] { bench.send_notice(bench.peer, {0}); });
  bench.at(15 * fs_per_us, [&] { pop(after_one); });
  bench.at(20 * fs_per_us, [&] { bench.send_notice(bench.second, {0}); });
  bench.at(25 * fs_per_us, [&] { pop(after_both); });
  bench.run();
  CHECK(after_one == kernel_groups::none);
  CHECK(after_both == 2U << 16);  // token 0, two experts
  CHECK((bench.read(token_hub_regs::status_offset) & 3) == 1);
}

TEST_CASE("rows that became ready before an error are not handed out after it") {
  command_bench bench;
  constexpr std::uint32_t no_such_row = 7;
  std::uint32_t row = 0;
  bench.at(0, [&] { bench.start_layer({1, 0, 0, 0, 0, 0}, 1); });
  bench.at(2 * fs_per_us, [&] {
    bench.commands.store(0, {0});
    bench.commands.ring_doorbell();
  });
  bench.at(10 * fs_per_us, [&] { bench.write(token_hub_regs::issue_gemm1_offset, no_such_row); });
  bench.at(12 * fs_per_us, [&] {
    row = bench.issue(token_hub_regs::ready_gemm1_offset, token_hub_regs::issue_gemm1_offset);
  });
  bench.run();
  CHECK(row == kernel_groups::none);
  bench.check_error(error::COMMAND, 0, 0);
  CHECK(bench.hub.spans()[1].end == 0);
}
