// The ring of commands of dynamic multimem: which lengths it may have, and that no layer starts
// with another one.
#include <catch2/catch.hpp>

#include "drivers/dymultimem.h"
#include "kernels/token_groups.h"
#include "regs/token_hub_regs.h"
#include "tests/firmware/register_hal.hpp"

using namespace heddle::test;

namespace {

constexpr std::uint64_t base = 0x1'0000, ring = 0x4000;

status open(std::uint32_t entries) {
  fresh_hardware().devices[TOKEN_HUB_BLOCK_ID] = {base};
  dymultimem dy{};
  return dymultimem_open(&dy, ring, entries);
}

}  // namespace

TEST_CASE("a ring of commands is a power of two and holds a batch") {
  for (const std::uint32_t entries : {16U, 64U, 1U << 31}) {
    CHECK(open(entries) == STATUS_OK);
    CHECK(hardware().words[base + TOKEN_HUB_RING_ENTRIES] == entries);
    CHECK(hardware().logs.empty());
  }
  for (const std::uint32_t entries : {0U, 1U, 8U, 24U, 100U}) {
    CHECK(open(entries) == STATUS_BAD_JOB);
    CHECK(hardware().writes.empty());
    REQUIRE(hardware().logs.size() == 1);
    CHECK(hardware().logs[0].second == entries);
  }
}

TEST_CASE("a layer whose ring of commands is refused does not start") {
  fresh_hardware().devices[TOKEN_HUB_BLOCK_ID] = {base};
  token_hub hub = {base, 0};
  token_layer layer{};
  layer.command_entries = 24;
  CHECK(token_groups_run(&hub, 0x8000, &layer) == STATUS_BAD_JOB);
  CHECK(hub.started == 0);
  CHECK(hardware().writes.empty());
}
