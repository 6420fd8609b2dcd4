// A manager of aggregation trees over one switch: sizes that do not fit into 32 bits.
#include <catch2/catch.hpp>

#include <memory>

#include "regs/aggregator_regs.h"
#include "sw/collectives/tree_jobs.h"
#include "sw/collectives/tree_roots.h"
#include "sw/collectives/tree_windows.h"
#include "tests/firmware/register_hal.hpp"

using namespace heddle::test;

namespace {

constexpr std::uint64_t registers = 0x1'0000, gib = UINT64_C(1) << 30;

// Two ranks at a switch that reduces and copies, and a tree over them.
std::unique_ptr<tree_manager> manager_of_two() {
  fresh_hardware();
  auto m = std::make_unique<tree_manager>();
  m->network.switches = 1;
  m->network.ranks = 2;
  m->network.registers[0] = registers;
  m->network.first_port[1] = 2;
  for (std::uint16_t rank = 0; rank < 2; ++rank) m->network.port[rank] = {AGGREGATOR_MEMORY, rank};
  m->may_reduce[0] = m->may_copy[0] = 1;
  m->longest_stream = UINT64_C(1) << 40;
  m->window = {0x10000, 0x100000};
  tree_make_plan(m.get(), 0);
  return m;
}

boot_report arm_alltoall(std::uint64_t bytes) {
  const auto m = manager_of_two();
  boot_job job{};
  job.collective = BOOT_ALLTOALL;
  job.elements = bytes;
  job.element_bytes = 1;
  return tree_arm(m.get(), &job, 0, AGGREGATOR_EXCHANGE,
                  tree_share_of(&job, 2, 1, 0, m->window.segment));
}

}  // namespace

TEST_CASE("a window is no longer than its register says, however large the buffers") {
  for (const std::uint64_t buffer : {64 * gib, 8 * gib, gib}) {
    const auto m = manager_of_two();
    hardware().words[registers + AGGREGATOR_BUFFER_FREE] = buffer;
    CHECK(tree_choose_window(m.get()) == BOOT_REPORT_OK);
    CHECK(m->window.segment == 2 << 20);
    CHECK(m->window.bytes == (buffer == gib ? gib / 2 : 4 * gib - (2 << 20)));
  }
}

TEST_CASE("all tenants of a switch find room in its buffers") {
  for (const std::uint32_t tenants : {1U, 2U, 5U}) {
    const auto m = manager_of_two();
    m->boot.tenants = tenants;
    std::uint64_t free = 1 << 20;
    for (std::uint32_t tenant = 0; tenant < tenants; ++tenant) {
      for (m->trees = 1; m->trees < 4; ++m->trees) {
        hardware().words[registers + AGGREGATOR_BUFFER_FREE] = free;  // as the others have left it
        CHECK(tree_choose_window(m.get()) == BOOT_REPORT_OK);
        CHECK(m->window.bytes * m->trees <= (1 << 20) / tenants);
      }
      free -= (1 << 20) / tenants;
    }
  }
}

TEST_CASE("an exchange is no longer than offsets in its table reach") {
  CHECK(arm_alltoall(2 * gib) == BOOT_REPORT_OK);
  CHECK(arm_alltoall(6 * gib) == BOOT_REPORT_WINDOW);
}
