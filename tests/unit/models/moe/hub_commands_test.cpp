// Commands of dynamic multimem where firmware plays the groups of the kernel: a token is stored by
// one list of experts and fetched by another while its stores are under way.
#include <catch2/catch.hpp>

#include "sw/drivers/dymultimem_command.h"
#include "tests/unit/models/moe/hub_bench.hpp"

using namespace heddle;

namespace {

using error = token_hub_regs::status_error;

// Addresses of this layer have a device in a switch, which these tests do not ask for anything.
struct command_bench : hub_bench {
  static constexpr std::uint64_t range = 1ULL << 40, ring = base + 0x9000,
                                 list_of_command = base + 0xa000;
  static constexpr std::uint32_t ring_entries = 16;

  command_bench() { sim.service<fabric>().add_inc_endpoint(peer, range, window); }

  void start_layer(const std::vector<std::uint16_t>& own_lists, std::uint32_t experts_per_gpu) {
    start(own_lists, 1, [experts_per_gpu](token_layer& l) {
      l.range = range;
      l.traffic = TOKEN_MULTICAST;
      l.groups = TOKEN_GROUPS_FIRMWARE;
      l.experts_per_gpu = experts_per_gpu;
    });
    write(token_hub_regs::ring_offset, ring);
    write(token_hub_regs::ring_entries_offset, ring_entries);
  }
  void store(std::uint32_t token, const std::vector<std::uint16_t>& experts) {
    add({DYMULTIMEM_ST, DYMULTIMEM_DISPATCH, 0, 0, inputs + token * bytes, 0}, token, experts);
  }
  void fetch(std::uint32_t token, const std::vector<std::uint16_t>& experts) {
    add({DYMULTIMEM_LD_REDUCE, DYMULTIMEM_COMBINE, 0, 0, results + token * bytes, 0}, token,
        experts);
  }
  void ring_doorbell() { write(token_hub_regs::posted_offset, posted); }

  // A row that is ready goes to the SMs. Returns which one, 0xffffffff where there is none.
  std::uint32_t issue(std::uint64_t ready_offset, std::uint64_t issue_offset) {
    std::uint32_t row = 0;
    core.read(registers + ready_offset, &row, sizeof row);
    if (row != kernel_groups::none) write(issue_offset, row);
    return row;
  }

  std::uint32_t posted = 0;

 private:
  void add(dymultimem_command command, std::uint32_t token,
           const std::vector<std::uint16_t>& experts) {
    constexpr std::uint64_t list_bytes = 16;
    command.count = static_cast<std::uint32_t>(experts.size());
    command.address = range + token * bytes;
    command.list = list_of_command + posted * list_bytes;
    if (!experts.empty()) put(command.list, experts.data(), experts.size() * sizeof(std::uint16_t));
    put(ring + posted * sizeof command, &command, sizeof command);
    ++posted;
  }
};

}  // namespace

TEST_CASE("a fetch by another list leaves the acknowledgments of the store to its own experts") {
  command_bench bench;
  std::uint32_t first = 1, second = 1;
  bench.at(0, [&] { bench.start_layer({1, 0, 0, 0, 0, 0}, 1); });
  bench.at(2 * fs_per_us, [&] {
    bench.store(0, {0});
    bench.fetch(0, {});  // before memory has acknowledged the store
    bench.store(1, {});
    bench.fetch(1, {});
    bench.ring_doorbell();
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
    bench.store(0, {0});
    bench.fetch(0, {1});
    bench.ring_doorbell();
  });
  bench.run();
  bench.check_error(error::UNMAPPED, 0, 1);
}
