// What a core says of its boot block before it does anything.
#include <catch2/catch.hpp>

#include "sw/drivers/boot_block.h"
#include "tests/firmware/register_hal.hpp"

using namespace heddle::test;

namespace {

struct opened {
  status is;
  boot_block block;
  std::vector<std::pair<std::string, std::uint64_t>> logs;
};

opened open(std::uint64_t magic, std::uint64_t version, std::uint64_t rank, std::uint64_t ranks) {
  register_hal& hal = fresh_hardware();
  hal.words[0] = version << 32 | magic;
  hal.words[8] = ranks << 32 | rank;
  opened result{};
  result.is = boot_open(&result.block);
  result.logs = hal.logs;
  return result;
}

}  // namespace

TEST_CASE("a boot block of this version says which rank the core is") {
  const opened right = open(BOOT_MAGIC, BOOT_VERSION, 2, 3);
  CHECK(right.is == STATUS_OK);
  CHECK(right.block.rank == 2);
  CHECK(right.block.ranks == 3);
  CHECK(right.logs.empty());
}

TEST_CASE("a core without ranks has no part, whatever else its memory holds") {
  CHECK(open(BOOT_MAGIC, BOOT_VERSION, 0, 0).is == STATUS_NO_PART);
  CHECK(open(0, 0, 0, 0).is == STATUS_NO_PART);
}

TEST_CASE("other blocks are refused with what is wrong") {
  using logs = std::vector<std::pair<std::string, std::uint64_t>>;
  const std::string other = "boot: not a boot block of this version";
  const opened magic = open(7, BOOT_VERSION, 0, 1);
  CHECK(magic.is == STATUS_BAD_BOOT);
  CHECK(magic.logs == logs{{other, std::uint64_t{BOOT_VERSION} << 32 | 7}});
  const opened version = open(BOOT_MAGIC, BOOT_VERSION + 1, 0, 1);
  CHECK(version.is == STATUS_BAD_BOOT);
  CHECK(version.logs == logs{{other, std::uint64_t{BOOT_VERSION + 1} << 32 | BOOT_MAGIC}});
  const opened rank = open(BOOT_MAGIC, BOOT_VERSION, 3, 3);
  CHECK(rank.is == STATUS_BAD_BOOT);
  CHECK(rank.logs == logs{{"boot: rank out of range", 3}});
}
