// What payloads without data point to.
#include <catch2/catch.hpp>

#include "transactors/memory/no_data.hpp"

using namespace heddle;

TEST_CASE("payloads without data share their bytes") {
  no_data nothing;
  void* const first = nothing.room_for(100);
  CHECK(first != nullptr);
  CHECK(nothing.room_for(100) == first);
  CHECK(nothing.room_for(1) == first);
}

TEST_CASE("longer payloads without data have bytes of their own, which have room for more") {
  no_data nothing;
  void* const small = nothing.room_for(10000);
  void* const large = nothing.room_for(10001);
  CHECK(large != small);
  CHECK(nothing.room_for(20000) == large);
  CHECK(nothing.room_for(20001) != large);
}
