// The property cache of a pipe: what shares a set, what is a hit, what makes room.
#include "models/inc/tor/property_cache.hpp"

#include <catch2/catch.hpp>

#include <cstring>

using namespace heddle;

namespace {

constexpr std::uint64_t capacity = 4 << 20;  // 32 segments
constexpr std::uint64_t same_set = 512;      // indices so far apart differ in the segment alone

std::vector<std::byte> bytes_of(std::uint64_t index, std::uint32_t length) {
  std::vector<std::byte> bytes(length);
  for (std::uint32_t i = 0; i < length; ++i) bytes[i] = static_cast<std::byte>(index * 31 + i);
  return bytes;
}

bool insert(property_cache& cache, std::uint64_t index, std::uint32_t length) {
  bool has_evicted = false;
  cache.insert(index, bytes_of(index, length).data(), has_evicted);
  return has_evicted;
}

bool holds(property_cache& cache, std::uint64_t index, std::uint32_t length) {
  const std::uint32_t place = cache.find(index);
  if (place == property_cache::none) return false;
  CHECK(std::memcmp(cache.bytes_at(place), bytes_of(index, length).data(), length) == 0);
  return true;
}

}  // namespace

TEST_CASE("lines are the next power of two") {
  property_cache cache(capacity);
  const std::pair<std::uint32_t, std::uint32_t> cases[] = {
      {4, 16}, {16, 16}, {20, 32}, {64, 64}, {68, 128}, {256, 256}, {260, 512}, {512, 512}};
  for (const auto& [length, line] : cases) {
    cache.reset(length, true);
    CHECK(cache.line_bytes() == line);
  }
}

TEST_CASE("indices that differ only in ignored segment bits are told apart, in every mode") {
  property_cache cache(capacity);
  for (std::uint32_t mode = 0; mode <= 5; ++mode) {
    const std::uint32_t length = 16U << mode;
    cache.reset(length, true);
    for (std::uint64_t segment = 0; segment < (1U << mode); ++segment) {
      const std::uint64_t index = 77 + segment * same_set;
      CHECK_FALSE(holds(cache, index, length));
      if (segment < property_cache::ways) insert(cache, index, length);
    }
    for (std::uint64_t segment = 0; segment < std::min(1U << mode, property_cache::ways); ++segment)
      CHECK(holds(cache, 77 + segment * same_set, length));
  }
}

TEST_CASE("17 lines of a set: the least recently used makes room") {
  property_cache cache(capacity);
  cache.reset(64, true);
  constexpr std::uint64_t next_tag = 512 * 32;
  for (std::uint64_t i = 0; i < 16; ++i) CHECK_FALSE(insert(cache, i * next_tag, 64));
  CHECK(holds(cache, 0, 64));  // renews
  CHECK(insert(cache, 16 * next_tag, 64));
  CHECK(holds(cache, 0, 64));
  CHECK_FALSE(holds(cache, next_tag, 64));
  for (std::uint64_t i = 2; i <= 16; ++i) CHECK(holds(cache, i * next_tag, 64));
}

TEST_CASE("a full cache of 64 B lines holds as many as fit, after an invalidation none") {
  property_cache cache(capacity);
  cache.reset(64, false);
  for (std::uint64_t i = 0; i < capacity / 64; ++i) {
    bool has_evicted = false;
    CHECK(cache.insert(i, nullptr, has_evicted));
    REQUIRE_FALSE(has_evicted);
  }
  bool has_evicted = false;
  cache.insert(capacity / 64, nullptr, has_evicted);
  CHECK(has_evicted);
  cache.reset(64, false);
  CHECK(cache.find(5) == property_cache::none);
}

TEST_CASE("without capacity there is no cache") {
  property_cache cache(0);
  cache.reset(64, true);
  CHECK_FALSE(cache.is_usable());
}

TEST_CASE("segments that are no power of two: whole groups of them hold lines") {
  constexpr std::uint64_t segment = 128 << 10;
  property_cache cache(21 * segment + segment / 2);
  cache.reset(64, false);  // 4 segments together
  constexpr std::uint64_t lines = 5 * 4 * segment / 64;
  bool has_evicted = false;
  for (std::uint64_t i = 0; i < lines; ++i) {
    CHECK(cache.insert(i, nullptr, has_evicted));
    REQUIRE_FALSE(has_evicted);
  }
  for (std::uint64_t i = 0; i < lines; ++i) REQUIRE(cache.find(i) != property_cache::none);
  cache.insert(lines, nullptr, has_evicted);
  CHECK(has_evicted);
}

TEST_CASE("what is used of a cache are whole groups of segments, and the least is one group") {
  CHECK(property_cache::least_bytes(4) == 128 << 10);
  CHECK(property_cache::least_bytes(64) == 512 << 10);
  CHECK(property_cache::least_bytes(65) == 1 << 20);
  CHECK(property_cache::least_bytes(512) == 4 << 20);
  const property_cache cache(6 << 20);
  CHECK(cache.used_bytes(4) == 6 << 20);
  CHECK(cache.used_bytes(512) == 4 << 20);
  CHECK(property_cache(4 << 20).used_bytes(512) == 4 << 20);
  CHECK(property_cache((4 << 20) - 1).used_bytes(512) == 0);
  CHECK(property_cache(0).used_bytes(4) == 0);
}

TEST_CASE("fewer segments than a line takes are no cache") {
  property_cache cache(3 * (128 << 10));
  cache.reset(64, false);
  CHECK_FALSE(cache.is_usable());
  cache.reset(32, false);
  CHECK(cache.is_usable());
}
