#include "transactors/packet/payload.hpp"

#include <catch2/catch.hpp>

#include <cstring>
#include <set>
#include <vector>

using heddle::payload_slice;

TEST_CASE("slices share their block and see its bytes at their offset") {
  payload_slice whole = payload_slice::allocate(100);
  for (int i = 0; i < 100; ++i) whole.data()[i] = static_cast<std::byte>(i);
  payload_slice part = whole.from(40);
  const payload_slice rest = part.from(10);
  CHECK(part.data() == whole.data() + 40);
  CHECK(rest.data() == whole.data() + 50);
  whole.reset();
  CHECK_FALSE(whole);
  part.reset();
  CHECK(rest.data()[0] == std::byte{50});  // the last reference keeps the bytes
}

TEST_CASE("a block is used again when its last reference goes and not before") {
  payload_slice first = payload_slice::allocate(128);
  const std::byte* place = first.data();
  payload_slice second = first;
  first.reset();
  payload_slice other = payload_slice::allocate(128);
  CHECK(other.data() != place);
  second.reset();
  const payload_slice again = payload_slice::allocate(65);  // the same size class
  CHECK(again.data() == place);
}

TEST_CASE("size classes do not mix") {
  payload_slice small = payload_slice::allocate(64);
  const std::byte* place = small.data();
  small.reset();
  CHECK(payload_slice::allocate(65).data() != place);
  CHECK(payload_slice::allocate(1).data() == place);
}

TEST_CASE("moving and assigning keep the count") {
  payload_slice a = payload_slice::allocate(64);
  const std::byte* place = a.data();
  payload_slice b = std::move(a);
  CHECK_FALSE(a);  // NOLINT(bugprone-use-after-move): empty is what it has to be
  payload_slice c;
  c = b;
  b = payload_slice();
  CHECK(c.data() == place);
  payload_slice& itself = c;
  c = itself;
  CHECK(c.data() == place);
  c.reset();
  CHECK(payload_slice::allocate(64).data() == place);
}

TEST_CASE("a slice without a block stays without one") {
  const payload_slice none;
  CHECK_FALSE(none);
  CHECK_FALSE(none.from(100));
}

TEST_CASE("blocks in use never overlap") {
  std::vector<payload_slice> slices;
  for (std::uint32_t i = 0; i < 500; ++i) {
    slices.push_back(payload_slice::allocate(1 + i * 37 % 5000));
    std::memset(slices.back().data(), static_cast<int>(i % 251), 1 + i * 37 % 5000);
  }
  for (std::uint32_t i = 0; i < 500; ++i) {
    CHECK(slices[i].data()[0] == static_cast<std::byte>(i % 251));
    CHECK(slices[i].data()[i * 37 % 5000] == static_cast<std::byte>(i % 251));
  }
}

TEST_CASE("who wants to write to a shared slice gets a copy of its own") {
  payload_slice first = payload_slice::allocate(100);
  first.data()[99] = std::byte{1};
  CHECK_FALSE(first.is_shared());
  const std::byte* const place = first.data();
  first.own(100);
  CHECK(first.data() == place);
  const payload_slice second = first;
  CHECK(first.is_shared());
  first.own(100);
  CHECK(first.data() != place);
  CHECK(first.data()[99] == std::byte{1});
  CHECK_FALSE(second.is_shared());
}

TEST_CASE("frames lie at multiples of their size, and only their beginning is one") {
  std::vector<payload_slice> frames;
  constexpr std::uint32_t many = 100;  // more than the first slab holds
  std::set<const std::byte*> places;
  for (std::uint32_t i = 0; i < many; ++i) {
    frames.push_back(payload_slice::allocate(payload_slice::frame_bytes));
    places.insert(frames.back().data());
    CHECK(reinterpret_cast<std::uintptr_t>(frames.back().data()) % payload_slice::frame_bytes == 0);
    CHECK(frames.back().is_frame());
    CHECK_FALSE(frames.back().from(1).is_frame());
  }
  CHECK(places.size() == many);
  CHECK_FALSE(payload_slice::allocate(payload_slice::frame_bytes + 1).is_frame());
  CHECK_FALSE(payload_slice::allocate(payload_slice::frame_bytes / 2).is_frame());
  CHECK_FALSE(payload_slice().is_frame());
}
